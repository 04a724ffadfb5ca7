"""A rule and a target for toolspec, as another distribution offers them."""
