"""Media types of content."""


def is_json(media_type: str) -> bool:
    """Return whether content of a media type is JSON."""
    essence = media_type.partition(";")[0].strip().lower()
    return essence in ("application/json", "text/json") or essence.endswith("+json")
