/** RFC 6749, section 5.1. */
export function tokenView({ accessToken, expiresIn }: { accessToken: string; expiresIn: number }) {
  return { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn };
}
