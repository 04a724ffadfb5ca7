"""Names of parameters for the number of results and for the position among them."""

SIZES = frozenset(
    {
        "limit", "max_items", "maxItems", "max_results", "maxResults", "page_size", "pageSize",
        "per_page", "perPage", "top_k", "topK", "max_num_results", "num_results", "numResults",
        "maxCount", "max_count",
    }
)  # fmt: skip

# The position: by page number, by items to skip, or by a cursor from the last result.
PAGES = frozenset({"page", "page_number", "pageNumber", "pageNum", "page_num"})
OFFSETS = frozenset({"offset", "skip", "start_at", "startAt", "start_index", "startIndex"})
CURSORS = frozenset(
    {
        "cursor", "page_token", "pageToken", "next_token", "nextToken", "next_page_token",
        "nextPageToken", "starting_after", "startingAfter", "start_cursor", "startCursor",
        "next_cursor", "nextCursor", "marker", "continuation_token", "continuationToken",
    }
)  # fmt: skip

POSITIONS = PAGES | OFFSETS | CURSORS
