"""Reports of releases: one HTML page that people can read."""

from covey.report.build import Report, make_report

__all__ = ["Report", "make_report"]
