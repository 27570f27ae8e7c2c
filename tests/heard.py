"""What a driver posted, for tests to look at."""

import threading


class Heard:
    """A `drivers.seen.Post` that keeps what it gets, in order."""

    def __init__(self):
        self._records = []
        self._lock = threading.Lock()

    def __call__(self, record, at_ns):
        with self._lock:
            self._records.append((record, at_ns))

    def all(self, *kinds):
        """The records so far, of these kinds or of any."""
        with self._lock:
            return [record for record, _ in self._records if not kinds or isinstance(record, kinds)]

    def stamps_ns(self, *kinds):
        """When those records were stamped."""
        with self._lock:
            return [at_ns for record, at_ns in self._records if not kinds or isinstance(record, kinds)]

    def clear(self):
        """Forget them."""
        with self._lock:
            self._records.clear()
