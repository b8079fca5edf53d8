/** The texts of the app of participants in English. The other languages have the same keys and placeholders. */
export const en = {
  'app.notFound': 'There is no such page',
  'app.toStart': 'Go to the start',
} as const
