/** Loads what reads the tables of features, for whoever looks at all rows. */
export const loadFeatureStores = () =>
  Promise.all([
    import('./activity/store.ts'),
    import('./expected/store.ts'),
    import('./openid/store.ts'),
    import('./unknown/store.ts'),
    import('./webhooks/store.ts'),
  ]);
