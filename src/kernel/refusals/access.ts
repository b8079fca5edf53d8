/** Refusals about permissions, limits and features. */
export const access = {
  keyReadOnly: 'This API key may only read: it can send GET requests, and change nothing.',
  keyLimitedToTrials: 'This API key is limited to some trials, and reaches no teams.',
  permissionsChanged: 'Your permissions have changed since this was started.',
} as const
