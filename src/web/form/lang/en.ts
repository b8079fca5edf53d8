/** What is said around forms, in English. The other languages have the same keys and placeholders. */
export const en = {
  'form.goneNote': 'It may have ended, or be open later. If you expected it, please ask your study team.',
  'form.noRoom': 'This device did not keep your answers. Leave this page open, free some space, and try again.',
  'form.stored': 'Thank you. Your answers have arrived.',
  'form.waiting': 'Your answers are kept on this device',
  'form.refused': 'Your answers could not be taken as they are',
  'form.fileGone': 'A file of these answers is no longer on this device. Please choose it again.',
  'form.notLoaded': 'This page is not on your device yet',
  'form.notLoadedNote': 'It needs a connection the first time.',

  'refusal.closed': 'The form had closed when your answers arrived.',
  'refusal.notOpenYet': 'This form is not open yet.',
  'refusal.withdrawn': 'You have withdrawn from this study, so nothing more is collected.',
  'refusal.archived': 'You no longer take part in this study.',
  'refusal.locked': 'The study takes no answers at the moment.',
  'refusal.tooMany': 'Too many attempts. Please wait a minute and try again.',
  'refusal.consentWithdrawn': 'You have withdrawn your consent',
  'refusal.consentMissing': 'Please sign the consent form first',
  'refusal.consentOutdated': 'Please sign the new consent form',

  'said.urgent': 'Important',
  'said.read': 'I have read this',
} as const
