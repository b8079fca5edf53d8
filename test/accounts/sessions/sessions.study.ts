/** What a sign-in that fails says, in every case the same. */
export const WRONG = 'The e-mail address, password or code is not right, or the account is disabled.'
