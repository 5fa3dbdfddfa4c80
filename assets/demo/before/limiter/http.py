"""Answers 429 to clients that ask too often."""

import tomllib

from limiter.window import Window


class Limiter:
    """A WSGI application in front of another one.

    The limits are read once, when the server starts. Every client has its own count, by
    address; what a client is refused never reaches the application behind.
    """

    def __init__(self, app, config="limits.toml"):
        with open(config, "rb") as file:
            self.limits = tomllib.load(file)
        self.app = app
        self.windows = {}

    def __call__(self, environ, start_response):
        client = environ["REMOTE_ADDR"]
        limit = self.limits["clients"]["limit"]
        window = self.windows.setdefault(client, Window(limit))
        if not window.allow():
            headers = [("Content-Type", "text/plain")]
            start_response("429 Too Many Requests", headers)
            return [b"Too many requests\n"]
        return self.app(environ, start_response)
