/** The first page: what the study asks, what will happen, and how long it takes. */
import type { ComponentChildren } from 'preact'
import { Button, Notice } from '#web/ui/components'
import { LinkPage } from '../frame'
import type { Sheet } from './server'
import { useSpeaker } from './speaking'
import { minutesOf, type Step, stepsOf } from './steps'

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
  const { say, count, language } = useSpeaker()
  const { trialName, requiresCountersignature } = sheet
  const does: Record<Step, string | undefined> = {
    information: say('consent.does.information'),
    questions: say('consent.does.questions'),
    eligibility: undefined,
    statements: say('consent.does.statements'),
    contact: say('consent.does.contact'),
    photo: say('consent.does.photo'),
    signature: undefined,
    review: say('consent.does.sign'),
  }
  const happens = [
    ...stepsOf(sheet).map((step) => does[step]),
    requiresCountersignature ? say('consent.does.countersign') : undefined,
  ].filter((each) => each !== undefined)
  const isInPerson = participantId !== undefined
  const name = sheet.language && new Intl.DisplayNames(language, { type: 'language' }).of(sheet.language)
  return (
    <LinkPage
      title={say('consent.title')}
      over={participantId ? say('consent.for', { id: participantId }) : undefined}
      isNext={isNext ?? false}
    >
      {isRestarted && (
        <Notice kind="info" title={say('consent.restarted')}>
          {say('consent.restartedNote')}
        </Notice>
      )}
      <p class="lead">{say(isInPerson ? 'consent.inPersonLead' : 'consent.lead', { study: trialName })}</p>
      <section class="card">
        <h2>{say('consent.happens')}</h2>
        <ol class="happens">
          {happens.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
        <p class="strong">{count('consent.minutes', minutesOf(sheet))}</p>
        <p>{say(isInPerson ? 'consent.leaveInPerson' : 'consent.leave')}</p>
        <p class="note">{name ? say('consent.languagesIn', { language: name }) : say('consent.languages')}</p>
      </section>
      {problem && <Notice kind="fault" title={problem} isLive />}
      <div class="actions">
        <Button kind="main" isBusy={isBusy} onPress={onBegin}>
          {say('consent.begin')}
        </Button>
      </div>
      {children}
    </LinkPage>
  )
}
