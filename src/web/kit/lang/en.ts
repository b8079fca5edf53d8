/** The texts of the components and the frame of pages in English. The other languages have the same keys and placeholders. */
export const en = {
  'site.skip': 'Skip to the content',
  'site.pages': 'Pages',
  'site.manual': 'Manual',
  'site.api': 'API',
  'site.account': 'Account',
  'site.language': 'Language',
  'site.needsScript':
    'This page needs JavaScript: it sends what you enter to the server. Please switch it on and load the page again.',
  'site.loading': 'Loading…',
  'site.unreachable': 'The server cannot be reached. Try again in a moment.',
  'site.failed': 'Something went wrong. Try again in a moment.',
  'site.notShown': 'This page could not be shown',
  'site.notShownNote': 'Try again. If that does not help, load the page again, or come back later.',
  'site.again': 'Try again',
  'site.reload': 'Load the page again',

  'field.optional': 'optional',
  'field.reveal': 'Show the characters',
  'field.conceal': 'Hide the characters',

  'dialog.cancel': 'Cancel',
  'dialog.close': 'Close',

  'toast.messages': 'Messages',
  'toast.dismiss': 'Dismiss this message',
} as const
