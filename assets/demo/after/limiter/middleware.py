"""Answers 429 to clients that ask too often."""

import math
import tomllib

from limiter.bucket import Bucket


class Limiter:
    """A WSGI application in front of another one.

    The limits are read once, when the server starts. Every client has its own count, by
    address; what a client is refused never reaches the application behind.
    """

    def __init__(self, app, config="limits.toml"):
        with open(config, "rb") as file:
            self.limits = tomllib.load(file)
        self.app = app
        self.buckets = {}

    def __call__(self, environ, start_response):
        client = environ.get("HTTP_X_FORWARDED_FOR", environ["REMOTE_ADDR"])
        limits = self.limits["clients"]
        bucket = self.buckets.setdefault(client, Bucket(**limits))
        wait = bucket.take()
        if wait > 0:
            headers = [("Content-Type", "text/plain"), ("Retry-After", str(math.ceil(wait)))]
            start_response("429 Too Many Requests", headers)
            return [b"Too many requests\n"]
        return self.app(environ, start_response)
