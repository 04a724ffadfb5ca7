"""What generated clients stand on: asking first, repeating what may be, and calling without asyncio."""
