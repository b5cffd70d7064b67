/** Refusals of webhooks. */
export const webhookRefusals = {
  tooManyWebhooks: {
    status: 'denied',
    field: 'url',
    sentence: 'you have {most} webhooks, the maximum; delete one that you do not need',
  },
  webhookNotFound: {
    status: 'webhookNotFound',
    field: 'webhook_id',
    sentence: 'you have no webhook of this id; list your webhooks',
  },
  webhooksOff: {
    status: 'denied',
    field: 'url',
    sentence: 'this server sends no webhooks; its operator can switch them on with WAJAH_WEBHOOKS=true',
  },
  webhookUrl: { status: 'malformed', field: 'url', sentence: 'found {url:quoted}, which {problem:phrase}' },
  tooManyTests: {
    status: 'tooManyRequests',
    field: 'webhook_id',
    sentence: 'found more than {most} tests in a minute; try again in {seconds} s',
  },
} as const;

export const webhookPhrases = {
  noUrl: 'is no https URL of at most {most} characters',
  urlWithCredentials: 'has a user name or password, which would be shown in lists',
  noHttps: 'is no https URL; send one',
  forbiddenAddress: 'has an address that this server sends nothing to; send an https URL of a public one',
} as const;
