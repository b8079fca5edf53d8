import { staffTexts } from '#web/console/lang/staffLanguages'
import { areaTexts } from '#web/console/lang/texts'

/** The texts of a field that is read, for every area that shows one. */
export const field = areaTexts(
  staffTexts('console/field', async () => (await import('#web/console/lang/field/en')).en, {
    de: async () => (await import('#web/console/lang/field/de')).de,
  }),
)

export const useFieldTexts = field.useTranslator
