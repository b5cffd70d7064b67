/** What other pages call this feature's endpoints. */
export const activityOperations = ['getActivity', 'listRefusals'];
