"""Fixed windows: so many requests a minute, counted from the full minute."""

import time


class Window:
    def __init__(self, limit):
        self.limit = limit
        self.minute = None
        self.count = 0

    def allow(self):
        minute = int(time.time() // 60)
        if minute != self.minute:
            self.minute, self.count = minute, 0
        self.count += 1
        return self.count <= self.limit
