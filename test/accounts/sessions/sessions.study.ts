/** The response to every failed sign-in, whatever the reason. */
export const WRONG = 'The e-mail address, password or code is not right, or the account is disabled.'
