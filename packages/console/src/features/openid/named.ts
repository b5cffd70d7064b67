/** This feature's endpoints, as the reference lists them. */
export const openidOperations = ['createOpenidApp', 'listOpenidApps', 'deleteOpenidApp', 'rotateOpenidKeys'];
