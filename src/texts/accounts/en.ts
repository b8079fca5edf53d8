/** The texts to the holder of an account, whatever the trial, in English. See `../en.ts`. */
export const accountTexts = {
  'account.invitation.subject': 'Your account for {team}',
  'account.invitation.body':
    'Dear {name},\n\nYou are invited to {team}. Choose your password here within {hours} hours:\n{url}\n',
  'account.joined.subject': 'You joined {team}',
  'account.joined.body': 'Dear {name},\n\nYou are now a member of {team}. Sign in with your account:\n{url}\n',
  'account.reset.subject': 'A new password',
  'account.reset.body':
    'Dear {name},\n\nSomebody, probably you, asked for a new password. Choose it here within an hour:\n{url}\n\n' +
    'If it was not you, you need not do anything.\n',
  'account.newAddress.subject': 'Your code: {code}',
  'account.newAddress.body':
    'Dear {name},\n\nSomebody, probably you, wants to use this address for the account {email}. The code is {code}. It is good for {minutes} minutes.\n\nIf it was not you, you need not do anything.\n',
  'account.addressChanged.subject': 'Your account has a new address',
  'account.addressChanged.body':
    'Dear {name},\n\nThe e-mail address of your account is now {email}. You sign in with it, and e-mails go there. All other sessions have ended.\n\nIf it was not you, tell the person who runs the server at once.\n',
  'account.passwordChanged.subject': 'Your password was changed',
  'account.passwordChanged.body':
    'Dear {name},\n\nThe password of your account was changed. All other sessions have ended.\n\nIf it was not you, ask for a new password on the sign-in page at once, and tell the person who runs the server.\n',
  'account.twoStepOff.subject': 'Two-step sign-in was switched off',
  'account.twoStepOff.body':
    'Dear {name},\n\nTwo-step sign-in was switched off for your account: the password alone is now enough.\n\nIf it was not you, change your password at once, and tell the person who runs the server.\n',
  'account.recoveryCode.subject': 'A recovery code was used',
  'account.recoveryCode.body':
    'Dear {name},\n\nSomebody, probably you, signed in to your account with a recovery code. Codes that are left: {left}.\n\nIf it was not you, change your password at once, and tell the person who runs the server.\n',
  'account.clock.subject': 'The clock of the server jumped',
  'account.clock.body':
    'The clock of the machine on which Trialbox runs ({url}) jumped from {from} to {to}. The server goes on with its own time. It works, but sends no reminders and removes nothing until {until}; then it follows the new time if that has held.\n\nIs the new time right? Run “trialbox clock accept”, and the server follows it at once. Is it wrong? Put the clock right before then.\n',
  'account.clock.followed':
    'The clock of the machine on which Trialbox runs ({url}) jumped from {from} to {to}. The server follows the new time, since it had only just started. Please check that the clock is right now. What was written before has the time from before.\n',
} as const
