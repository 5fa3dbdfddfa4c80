import unittest

from limiter.bucket import Bucket


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


class BucketTest(unittest.TestCase):
    def setUp(self):
        self.clock = Clock()
        self.bucket = Bucket(rate=2, burst=3, clock=self.clock)

    def test_burst_then_rate(self):
        self.assertEqual([self.bucket.take() for _ in range(4)], [0, 0, 0, 0.5])
        self.clock.now += 0.5
        self.assertEqual(self.bucket.take(), 0)

    def test_never_more_than_a_burst(self):
        self.clock.now += 3600
        self.assertEqual([self.bucket.take() for _ in range(4)], [0, 0, 0, 0.5])

    def test_clock_steps_back(self):
        self.clock.now -= 60
        self.assertEqual(self.bucket.take(), 0)
