"""The output folder: comparison with the disk, ownership, and writing."""

from toolspec.driver.output.changes import Change, GoneError
from toolspec.driver.output.files import File, OnDisk, file_of, files_of
from toolspec.driver.output.paths import check_paths
from toolspec.driver.output.publish import drift, publish
from toolspec.driver.output.stage import Stage
from toolspec.driver.output.tree import BlockedError

__all__ = [
    "BlockedError",
    "Change",
    "File",
    "GoneError",
    "OnDisk",
    "Stage",
    "check_paths",
    "drift",
    "file_of",
    "files_of",
    "publish",
]
