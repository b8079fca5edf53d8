/** The texts of the grid of participants in English. German has the same keys and placeholders. */
export const en = {
  'participants.title': 'Participants',
} as const
