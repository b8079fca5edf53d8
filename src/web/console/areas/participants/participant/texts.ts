import { staffTexts } from '#web/console/lang/staffLanguages'
import { areaTexts } from '#web/console/lang/texts'

export const casebook = areaTexts(
  staffTexts('console/casebook', async () => (await import('#web/console/lang/casebook/en')).en, {
    de: async () => (await import('#web/console/lang/casebook/de')).de,
  }),
)

export const useTranslator = casebook.useTranslator
