/** The texts of signing in, for all front ends of staff, in English. The other languages have the same keys and placeholders. */
export const en = {
  'signIn.submit': 'Sign in',
  'signIn.signOut': 'Sign out',
  'signIn.email': 'E-mail address',
  'signIn.password': 'Password',
  'signIn.code': 'Code',
  'signIn.codeNote':
    'Only if you set up two-step sign-in: the six digits of your authenticator app, or a recovery code.',
  'signIn.refused': 'The e-mail address, password or code is not right, or the account is disabled.',
  'signIn.forgot': 'Forgot your password?',
  'signIn.ended': 'Your session has ended. Please sign in again.',
  'signIn.other': 'You have signed in anew in another window. Look who is signed in here now, then try again.',
  'signIn.tooMany':
    'Too many failed attempts. Wait a minute, then try again. The wait grows with each further attempt.',
} as const
