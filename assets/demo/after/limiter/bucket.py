"""Token buckets: a steady rate, with room for a burst."""

import time


class Bucket:
    """Holds up to `burst` tokens and gains `rate` of them a second."""

    def __init__(self, rate, burst, clock=time.time):
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.tokens = burst
        self.filled = clock()

    def take(self, cost=1):
        """Spend `cost` tokens, or say in how many seconds they will be there."""
        now = self.clock()
        gained = (now - self.filled) * self.rate
        self.tokens = min(self.burst, self.tokens + gained)
        self.filled = now
        if self.tokens < cost:
            return (cost - self.tokens) / self.rate
        self.tokens -= cost
        return 0
