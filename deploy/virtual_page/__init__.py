"""The virtual table as a page: see docs/virtual-table.md."""
