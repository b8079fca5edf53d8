/** What everything that shows answers needs: how values and moments are written, and who people are. */
import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import { stateOfAct } from '#web/console/data/access'
import { session } from '#web/console/data/session'
import { useStudy } from '#web/console/data/study'
import { useItem } from '#web/console/data/useItem'
import { staffLanguage } from '#web/console/lang/texts'
import { type Translator as FillTranslator, loadTranslator } from '#web/form/fillTexts'
import { createFormatter, type ValueFormatter } from '#web/form/valueFormatter'
import { localeOf } from '#web/kit/language/languages'
import { useTexts } from '#web/kit/language/useTexts'
import { useFieldTexts } from './texts'

export type ReadingContext = {
  formatValue: ValueFormatter
  /** The day of a moment without its year: `3 Aug`. */
  shortDay(at: string): string
  /** The texts of forms, in the language of the page. */
  form: FillTranslator
  /** Who did something: null for a rule. */
  nameOf(by: string | null, type?: 'user' | 'participant'): string
}

const context = createContext<ReadingContext | undefined>(undefined)
export const ReadingProvider = context.Provider

export function useReading(): ReadingContext {
  const reading = useContext(context)
  if (!reading) throw new Error('An answer is shown outside of a page that knows how.')
  return reading
}

/** The names of people who work in the study; of those who may not be listed, none. */
function useNames(): ReadonlyMap<string, string> {
  const { _id, place } = useStudy()
  const mayList = stateOfAct('listPeople', place) !== 'never'
  const { body } = useItem('listPeople', '/trials/:trialId/users', mayList ? [_id] : undefined)
  return useMemo(() => new Map(body?.users.map((each) => [each._id, each.name])), [body])
}

/** @param zone of the participant. Undefined until the texts of forms are there */
export function useReadingContext(zone: string): ReadingContext | undefined {
  const { t } = useFieldTexts()
  const language = staffLanguage.value
  const form = useTexts(loadTranslator, language)
  const names = useNames()
  const user = session.value?.user
  return useMemo(() => {
    if (!form) return undefined
    const days = new Intl.DateTimeFormat(localeOf(language), { day: 'numeric', month: 'short', timeZone: zone })
    return {
      formatValue: createFormatter(language, zone),
      shortDay: (at) => days.format(new Date(at)),
      form,
      nameOf(by, type = 'user') {
        if (by === null) return t('who.rule')
        if (type === 'participant') return t('who.participant')
        return names.get(by) ?? (by === user?._id ? user.name : t('who.staff'))
      },
    }
  }, [form, language, zone, names, user, t])
}
