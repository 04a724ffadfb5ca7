"""OAuth 2.0 helpers of a service: the sign-in URL, and credentials from a token response.

This module does not use the network: the program sends the user to the URL, exchanges the code with
an HTTP client of its choice, and passes the response to `credentials`.
"""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_STANDARD = {
    "accessToken": "access_token",
    "refreshToken": "refresh_token",
    "expiresIn": "expires_in",
    "tokenType": "token_type",
}


class OAuth(Record):
    """The authorization server of a service.

    `scopes` are pairs of a name and its description, `authorize_parameters` pairs of a query
    parameter and its value. `token_response` maps `accessToken`, `refreshToken`, `expiresIn` and
    `tokenType` to members of the server's response that differ from the standard names.
    """

    authorization_url: str
    token_url: str
    scopes: tuple[tuple[str, str], ...] = ()
    authorize_parameters: tuple[tuple[str, str], ...] = ()
    token_response: tuple[tuple[str, str], ...] = ()

    def sign_in_url(
        self,
        *,
        client_id: str,
        redirect_uri: str,
        state: str,
        scopes: Iterable[str] | None = None,
        code_challenge: str = "",
    ) -> str:
        """Return the URL at which a user grants access (RFC 6749, section 4.1.1).

        `scopes` defaults to all that the service declares. `code_challenge` is that of PKCE with
        SHA-256 (RFC 7636). Parameters of this method override `authorize_parameters` of the same
        name.
        """
        from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

        requested = [name for name, _ in self.scopes] if scopes is None else list(scopes)
        parts = urlsplit(self.authorization_url)
        query = {
            **dict(parse_qsl(parts.query, keep_blank_values=True)),
            **dict(self.authorize_parameters),
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": redirect_uri,
            "state": state,
        }
        if requested:
            query["scope"] = " ".join(requested)
        if code_challenge:
            query |= {"code_challenge": code_challenge, "code_challenge_method": "S256"}
        return urlunsplit(parts._replace(query=urlencode(query)))

    def credentials(self, response: Mapping[str, object]) -> dict[str, object]:
        """Return the credentials of a token response, by standard names (RFC 6749, section 5.1).

        A name in `token_response` is a member, or the path to one: `authed_user.access_token`.
        Raises ToolError `auth` for an error response, and without an access token.
        """
        from toolspec.runtime.errors import ToolError

        credentials: dict[str, object] = {}
        for role, standard in _STANDARD.items():
            value = _member(response, dict(self.token_response).get(role, standard))
            if value is not None:
                credentials[standard] = value
        if isinstance(scope := response.get("scope"), str):
            credentials["scope"] = scope
        if not isinstance(credentials.get("access_token"), str) or not credentials["access_token"]:
            code = response.get("error")
            reason = f": {code}" if isinstance(code, str) else ""
            message = f"the authorization server granted no access token{reason}"
            raise ToolError.auth(message, code="no_token")
        if isinstance(expires := credentials.get("expires_in"), str):
            credentials["expires_in"] = _number(expires)
        return {name: value for name, value in credentials.items() if value is not None}


def _member(response: object, name: str) -> object:
    """Return the member with a name, else the member at a dotted path, else None."""
    if isinstance(response, dict) and name in response:
        return response[name]
    value = response
    for step in name.split("."):
        value = value.get(step) if isinstance(value, dict) else None
    return value


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
