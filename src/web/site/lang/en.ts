/** The texts of the first pages and the manual in English. The other languages have the same keys and placeholders. */
export const en = {
  'landing.title': 'A whole clinical study, in one place',
  'landing.lead':
    'This is a Trialbox server. The forms, participants, schedules, files, consent and audit trail of a study are kept here, on this machine.',
  'landing.takePart': 'I take part in a study',
  'landing.takePartNote': 'Forms, messages, appointments',
  'landing.account': 'Your password, two-step sign-in, sessions, and the API keys that your programs use.',
  'landing.api': 'Every operation, what it needs and what it returns. Try it out in the browser.',
  'landing.manual': 'How to run a study and this server, with a search. It needs no internet.',
  'landing.document': 'OpenAPI document',
  'landing.documentNote': 'The same for programs that write clients.',
  'landing.checking': 'Checking whether the service runs…',
  'landing.runs': 'The service runs.',
  'landing.runsVersion': 'The service runs. Version {version}',

  'missing.note': 'The address may be mistyped.',

  'setup.page': 'Set up',
  'setup.title': 'Set up your account',

  'account.title': 'Account',

  'manual.suffix': 'Trialbox manual',
  'manual.search': 'Search the manual',
  'manual.submit': 'Search',
  'manual.contents': 'Contents',
  'manual.results': 'Search',
  'manual.hits.one': '{count} section with “{query}”',
  'manual.hits.other': '{count} sections with “{query}”',
  'manual.noHits': 'No section holds all of these words. Try fewer or shorter ones.',
  'manual.missing': 'There is no such page',
  'manual.missingNote': 'Choose one from the contents, or search for a word.',
  'manual.around': 'Before and after',
  'manual.previous': 'Previous',
  'manual.next': 'Next',
} as const
