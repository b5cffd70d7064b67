/** Refusals about apps that sign people in. */
export const openidRefusals = {
  openidRedirect: {
    status: 'malformed',
    field: 'redirect_uris',
    sentence:
      'found {found}; allowed are https URLs, and http URLs of localhost, without a user name and a fragment',
  },
  openidAppNotFound: {
    status: 'malformed',
    field: 'app_id',
    sentence: 'there is no app of this id; list the apps of the client',
  },
  tooManyOpenidApps: {
    status: 'denied',
    field: 'client_id',
    sentence: 'the client has {most} apps, the maximum; delete one that is not needed',
  },
} as const;
