"""The output folder: artifacts against the disk, who owns what stands there, and the writing of it."""

from toolspec.driver.output.changes import Change
from toolspec.driver.output.files import File, file_of, files_of
from toolspec.driver.output.ownership import Takeover, Terms
from toolspec.driver.output.paths import check_paths
from toolspec.driver.output.publish import drift, publish

__all__ = [
    "Change",
    "File",
    "Takeover",
    "Terms",
    "check_paths",
    "drift",
    "file_of",
    "files_of",
    "publish",
]
