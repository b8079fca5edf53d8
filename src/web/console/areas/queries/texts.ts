import { staffTexts } from '#web/console/lang/staffLanguages'
import { areaTexts } from '#web/console/lang/texts'

export const queries = areaTexts(
  staffTexts('console/queries', async () => (await import('#web/console/lang/queries/en')).en, {
    de: async () => (await import('#web/console/lang/queries/de')).de,
  }),
)

export const useTranslator = queries.useTranslator
