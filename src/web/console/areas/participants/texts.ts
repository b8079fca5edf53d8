import { staffTexts } from '#web/console/lang/staffLanguages'
import { areaTexts } from '#web/console/lang/texts'

export const participants = areaTexts(
  staffTexts('console/participants', async () => (await import('#web/console/lang/participants/en')).en, {
    de: async () => (await import('#web/console/lang/participants/de')).de,
  }),
)
