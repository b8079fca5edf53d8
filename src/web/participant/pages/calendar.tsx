/** Events, meetings and forms to come; and the way to add them to the phone's own calendar. */

import { useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { personalText, studyText } from '#web/kit/language/studyText'
import { useNow } from '#web/kit/page/useNow'
import { isTablet } from '#web/kit/storage/smallStorage'
import { EmptyState } from '#web/kit/ui/components'
import { useCopy } from '#web/participant/device/copies'
import { person } from '#web/participant/device/session'
import { useTranslator } from '#web/participant/texts'
import type { OwnEvent, Timeline } from './apiTypes'
import { type Appointment, appointmentsOf, isToCome } from './appointments'
import { CalendarLinks } from './calendarLinks'
import { Glyph, type GlyphName } from './glyph'
import { timelinePath } from './offlinePages'
import { CopyContent, Page as Frame, RefreshButton } from './page'
import { useClock, useStudy } from './study'

/** How many are shown at first, and how many more each time. */
const [FIRST, STEP] = [5, 30]

export function Page() {
  const { t } = useTranslator()
  const { me } = useStudy()
  const events = useCopy<AnswerOf<'listOwnEvents'>>('/participants/events')
  const timeline = useCopy<Timeline>(timelinePath(person.value?.trial))
  const hasCalls = me?.trial.features.videoCalls === true
  return (
    <Frame
      title={t('app.calendar')}
      action={
        <RefreshButton
          isLoading={events.isLoading || timeline.isLoading}
          onPress={() => void Promise.all([events.refresh(), timeline.refresh()])}
        />
      }
    >
      <CopyContent copy={events}>
        {({ participantEvents }) =>
          hasCalls ? (
            <WithMeetings events={participantEvents} timeline={timeline.value} />
          ) : (
            <Appointments all={appointmentsOf(participantEvents, [], timeline.value?.stages ?? [])} />
          )
        }
      </CopyContent>
    </Frame>
  )
}

function WithMeetings({ events, timeline }: { events: readonly OwnEvent[]; timeline: Timeline | undefined }) {
  const meetings = useCopy<AnswerOf<'listOwnMeetings'>>('/participants/meetings')
  return <Appointments all={appointmentsOf(events, meetings.value?.meetings ?? [], timeline?.stages ?? [])} />
}

function Appointments({ all }: { all: readonly Appointment[] }) {
  const { t } = useTranslator()
  const now = useNow()
  const coming = all.filter((each) => isToCome(each, now))
  const [forms, dates] = [coming.filter(({ kind }) => kind === 'form'), coming.filter(({ kind }) => kind !== 'form')]
  const past = all.filter((each) => each.kind !== 'form' && !isToCome(each, now)).reverse()
  return (
    <>
      {coming.length === 0 && (
        <div class="card">
          <EmptyState icon="inbox" title={t('calendar.none')} note={t('calendar.noneNote')} />
        </div>
      )}
      <AppointmentsByDay title={t('calendar.dates')} list={dates} now={now} />
      <AppointmentsByDay title={t('calendar.forms')} list={forms} now={now} />
      {!isTablet && <CalendarLinks appointments={coming} />}
      {past.length > 0 && (
        <details class="fold">
          <summary>{t('calendar.past')}</summary>
          <ul class="lines">
            {past.slice(0, 100).map((each) => (
              <AppointmentCard key={each.id} appointment={each} now={now} withDay />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** By the day on which they begin. */
function AppointmentsByDay({ title, list, now }: { title: string; list: readonly Appointment[]; now: number }) {
  const { t } = useTranslator()
  const clock = useClock()
  const [shown, setShown] = useState(FIRST)
  if (!list.length) return null
  const days = Map.groupBy(list.slice(0, shown), ({ starts }) => clock.dayKey(starts))
  return (
    <section aria-label={title}>
      <h2 class="section-title">{title}</h2>
      {[...days].map(([key, ofDay]) => (
        <div key={key}>
          <h3 class="month">{clock.day(ofDay[0]?.starts ?? 0)}</h3>
          <ul class="lines">
            {ofDay.map((each) => (
              <AppointmentCard key={each.id} appointment={each} now={now} />
            ))}
          </ul>
        </div>
      ))}
      {list.length > shown && (
        <button type="button" class="plain" onClick={() => setShown(shown + STEP)}>
          {t('app.showMore')}
        </button>
      )}
    </section>
  )
}

const icons: Record<Appointment['kind'], GlyphName> = { event: 'calendar', meeting: 'video', form: 'today' }

function AppointmentCard({ appointment, now, withDay }: { appointment: Appointment; now: number; withDay?: boolean }) {
  const { t } = useTranslator()
  const clock = useClock()
  const { kind, title, description, starts, minutes, people, join, form } = appointment
  const facts = [
    withDay ? clock.moment(starts) : clock.time(starts),
    minutes === undefined ? undefined : clock.length(minutes * 60_000),
    people.length ? t('calendar.with', { people: people.join(', ') }) : undefined,
    form ? t('calendar.opens') : undefined,
    form?.closes === undefined ? undefined : t('home.until', { time: clock.moment(form.closes) }),
  ].filter((each) => each !== undefined)
  return (
    <li>
      <div>
        <span class="row-icon">
          <Glyph name={icons[kind]} />
        </span>
        <span class="row-text">
          <span class="row-title" {...(kind === 'form' ? studyText(title) : personalText())}>
            {title}
          </span>
          <span class="note dotted">
            {facts.map((each) => (
              <span key={each}>
                <bdi>{each}</bdi>
              </span>
            ))}
          </span>
          {description && kind !== 'form' && (
            <span class="description" {...personalText()}>
              {description}
            </span>
          )}
          {join && join.until > now && (
            <span class="join">
              {join.from <= now ? (
                <a class="button main" href={join.url} target="_blank" rel="noreferrer">
                  <Glyph name="video" />
                  {t('calendar.join')}
                </a>
              ) : (
                <span class="note">{t('calendar.joinFrom', { time: clock.moment(join.from) })}</span>
              )}
            </span>
          )}
        </span>
      </div>
    </li>
  )
}
