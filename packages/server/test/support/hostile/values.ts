/** Numbers as texts, most of which no field takes. */
export const hostileNumbers: readonly string[] = [
  ...['99999999999999999999', '1e400', '-1e400', '1e-400', '2147483648', '9007199254740991'],
  ...['9007199254740993', '0x10', '1.5', '0,5', '-0.1', '-0', '-1', 'NaN', 'Infinity', '-Infinity'],
];

/** Names that somebody may try: paths, templates, members of objects, unprintable, too long. */
export const hostileNames: readonly string[] = [
  ...['..', '.', '../../etc/passwd', '%2e%2e%2f', 'a/b', 'a\\b', 'C:\\x', '{{7*7}}', '%', '%00', ' '],
  ...['\u202eevil', '\u0000', 'a\nb', '\ufffd', '\ud800', '\udfff\ud800', '__proto__', 'constructor'],
  ...['é'.repeat(120), 'é'.repeat(121), '😀'.repeat(120), 'a'.repeat(10_000), '%'.repeat(500)],
];

/** Access tokens and keys that are none. @param token a right one */
export function hostileTokens(token: string): readonly string[] {
  return [
    ...[token.slice(0, -2), `${token}x`, `.${token}`, `Bearer ${token}`, 'Bearer x'],
    ...['eyJhbGciOiJub25lIn0.e30.', 'eyJhbGciOiJIUzI1NiIsImtpZCI6Ii4uLyJ9.e30.AAAA', "' OR 1=1 --"],
    ...['waj_', `waj_${'A'.repeat(43)}`, 'null', 'undefined', '{}', 'é', '__proto__', '../../x'],
    'a'.repeat(9000),
  ];
}
