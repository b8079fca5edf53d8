import { staffTexts } from '#web/console/lang/staffLanguages'
import { areaTexts } from '#web/console/lang/texts'

export const studies = areaTexts(
  staffTexts('console/studies', async () => (await import('#web/console/lang/studies/en')).en, {
    de: async () => (await import('#web/console/lang/studies/de')).de,
  }),
)
