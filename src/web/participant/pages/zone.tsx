/** The zone whose days count, and the language of what the study sends. */
import { useState } from 'preact/hooks'
import { deviceZone } from '#web/kit/language/dates'
import { isLanguage, nameOfLanguage } from '#web/kit/language/languages'
import { Button, Notice, Select, showToast, useForm } from '#web/kit/ui/components'
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { useTranslator } from '#web/participant/texts'
import type { Me } from './apiTypes'
import { useStudy } from './study'

/** The languages in which the server writes messages. */
const MESSAGES = ['en', 'de', 'fr', 'es']

/** The name of a language as those who speak it write it. */
const nameOf = (language: string): string =>
  isLanguage(language)
    ? nameOfLanguage(language)
    : (new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language)

/** The languages to choose from: those of the study, of the service's own texts, and the one that is set. */
const languagesFor = ({ participant, trial }: Me): string[] => [
  ...new Set([...(trial.languages ?? []), ...MESSAGES, ...(participant.language ? [participant.language] : [])]),
]

const zoneName = (zone: string): string => zone.replaceAll('_', ' ').replaceAll('/', ' / ')

/** All zones that the browser knows, with those that are in use in any case. */
function zones(...used: readonly string[]): string[] {
  const known = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : []
  return [...new Set([...used, ...known])].sort()
}

export function ZoneAndLanguage({ me }: { me: Me }) {
  const { t } = useTranslator()
  const { refresh } = useStudy()
  const { participant, zone } = me
  const here = deviceZone()
  const [fault, setFault] = useState<string>()
  const save = async (body: { timezone?: string; language?: string | null }) => {
    const answer = await askAs<Me>('PUT', '/participants/me', { body })
    if (!answer.isDone) {
      setFault(refusalText(answer))
      return answer
    }
    setFault(undefined)
    showToast(t('you.saved'))
    await refresh()
    return answer
  }
  const { submit, isBusy, faults } = useForm(({ timezone = zone, language = '' }) =>
    save({
      ...(timezone === zone ? {} : { timezone }),
      language: language || null,
    }),
  )
  return (
    <form class="card" onSubmit={submit} aria-label={t('you.zoneAndLanguage')}>
      {here !== zone && (
        <Notice kind="info" title={t('you.otherZone', { zone: zoneName(here) })}>
          <button type="button" class="plain" onClick={() => void save({ timezone: here })}>
            {t('you.takeZone')}
          </button>
        </Notice>
      )}
      <Select
        label={t('you.zone')}
        note={t('you.zoneNote')}
        name="timezone"
        initial={[zone]}
        options={zones(zone, here).map((value) => ({ value, label: zoneName(value) }))}
        fault={faults.fields.timezone}
      />
      <Select
        label={t('you.language')}
        note={t('you.languageNote')}
        name="language"
        isOptional
        initial={[participant.language ?? '']}
        options={[
          { value: '', label: t('you.languageOfStudy') },
          ...languagesFor(me).map((value) => ({ value, label: nameOf(value) })),
        ]}
        fault={faults.fields.language}
      />
      {fault && <Notice kind="fault" title={fault} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t('you.save')}
        </Button>
      </div>
    </form>
  )
}
