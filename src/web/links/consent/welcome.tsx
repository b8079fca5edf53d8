/** The first page: what the study asks, what will happen, and how long it takes. */
import type { ComponentChildren } from 'preact'
import { Button, Notice } from '#web/kit/ui/components'
import { LinkPage } from '../frame'
import type { Sheet } from './requests'
import { minutesOf, type Step, stepsOf } from './steps'
import { useTranslator } from './translator'

type Props = {
  sheet: Sheet
  /** In person: the ID of the participant. */
  participantId?: string | null
  isBusy: boolean
  problem?: string | undefined
  /** Whether an earlier visit ended. */
  isRestarted?: boolean
  isNext?: boolean
  onBegin: () => void
  children?: ComponentChildren
}

export function Welcome({ sheet, participantId, isBusy, problem, isRestarted, isNext, onBegin, children }: Props) {
  const { t, count, language } = useTranslator()
  const { trialName, requiresCountersignature } = sheet
  const stepTexts: Record<Step, string | undefined> = {
    information: t('consent.does.information'),
    questions: t('consent.does.questions'),
    eligibility: undefined,
    statements: t('consent.does.statements'),
    contact: t('consent.does.contact'),
    photo: t('consent.does.photo'),
    signature: undefined,
    review: t('consent.does.sign'),
  }
  const upcomingSteps = [
    ...stepsOf(sheet).map((step) => stepTexts[step]),
    requiresCountersignature ? t('consent.does.countersign') : undefined,
  ].filter((each) => each !== undefined)
  const isInPerson = participantId !== undefined
  const name = sheet.language && new Intl.DisplayNames(language, { type: 'language' }).of(sheet.language)
  return (
    <LinkPage
      title={t('consent.title')}
      overline={participantId ? t('consent.for', { id: participantId }) : undefined}
      isNext={isNext ?? false}
    >
      {isRestarted && (
        <Notice kind="info" title={t('consent.restarted')}>
          {t('consent.restartedNote')}
        </Notice>
      )}
      <p class="lead">{t(isInPerson ? 'consent.inPersonLead' : 'consent.lead', { study: trialName })}</p>
      <section class="card">
        <h2>{t('consent.happens')}</h2>
        <ol class="happens">
          {upcomingSteps.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
        <p class="strong">{count('consent.minutes', minutesOf(sheet))}</p>
        <p>{t(isInPerson ? 'consent.leaveInPerson' : 'consent.leave')}</p>
        <p class="note">{name ? t('consent.languagesIn', { language: name }) : t('consent.languages')}</p>
      </section>
      {problem && <Notice kind="fault" title={problem} isLive />}
      <div class="actions">
        <Button kind="main" isBusy={isBusy} onPress={onBegin}>
          {t('consent.begin')}
        </Button>
      </div>
      {children}
    </LinkPage>
  )
}
