/** Events, meetings and forms to come; and how they get into the phone's own calendar. */

import { useState } from 'preact/hooks'
import { useCopy } from '#web/app/device/copies'
import { person } from '#web/app/device/session'
import { isTablet } from '#web/app/device/tablet'
import { useNow } from '#web/app/now'
import { useSpeaker } from '#web/app/speaking'
import { studyText, writtenText } from '#web/common/studyText'
import { EmptyState } from '#web/ui/components'
import type { OwnEvent, OwnMeeting, Timeline } from './answers'
import { type Appointment, appointmentsOf, isToCome } from './appointments'
import { CalendarLinks } from './calendarLinks'
import { Glyph, type GlyphName } from './glyph'
import { timelineOf } from './keptPages'
import { Page as Frame, Read, Refresh } from './page'
import { useClock, useStudy } from './study'

/** How many are shown at first, and how many more each time. */
const [FIRST, STEP] = [5, 30]

export function Page() {
  const { say } = useSpeaker()
  const { me } = useStudy()
  const events = useCopy<{ participantEvents: OwnEvent[] }>('/participants/events')
  const timeline = useCopy<Timeline>(timelineOf(person.value?.trial))
  const hasCalls = me?.trial.features.videoCalls === true
  return (
    <Frame
      title={say('app.calendar')}
      action={
        <Refresh
          isLoading={events.isLoading || timeline.isLoading}
          onPress={() => void Promise.all([events.refresh(), timeline.refresh()])}
        />
      }
    >
      <Read copy={events}>
        {({ participantEvents }) =>
          hasCalls ? (
            <WithMeetings events={participantEvents} timeline={timeline.value} />
          ) : (
            <Appointments all={appointmentsOf(participantEvents, [], timeline.value?.stages ?? [])} />
          )
        }
      </Read>
    </Frame>
  )
}

function WithMeetings({ events, timeline }: { events: readonly OwnEvent[]; timeline: Timeline | undefined }) {
  const meetings = useCopy<{ meetings: OwnMeeting[] }>('/participants/meetings')
  return <Appointments all={appointmentsOf(events, meetings.value?.meetings ?? [], timeline?.stages ?? [])} />
}

function Appointments({ all }: { all: readonly Appointment[] }) {
  const { say } = useSpeaker()
  const now = useNow()
  const coming = all.filter((each) => isToCome(each, now))
  const [forms, dates] = [coming.filter(({ kind }) => kind === 'form'), coming.filter(({ kind }) => kind !== 'form')]
  const past = all.filter((each) => each.kind !== 'form' && !isToCome(each, now)).reverse()
  return (
    <>
      {coming.length === 0 && (
        <div class="card">
          <EmptyState icon="inbox" title={say('calendar.none')} note={say('calendar.noneNote')} />
        </div>
      )}
      <ByDay title={say('calendar.dates')} list={dates} now={now} />
      <ByDay title={say('calendar.forms')} list={forms} now={now} />
      {!isTablet && <CalendarLinks appointments={coming} />}
      {past.length > 0 && (
        <details class="fold">
          <summary>{say('calendar.past')}</summary>
          <ul class="lines">
            {past.slice(0, 100).map((each) => (
              <One key={each.id} appointment={each} now={now} withDay />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** By the day on which they begin. */
function ByDay({ title, list, now }: { title: string; list: readonly Appointment[]; now: number }) {
  const { say } = useSpeaker()
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
              <One key={each.id} appointment={each} now={now} />
            ))}
          </ul>
        </div>
      ))}
      {list.length > shown && (
        <button type="button" class="plain" onClick={() => setShown(shown + STEP)}>
          {say('app.showMore')}
        </button>
      )}
    </section>
  )
}

const icons: Record<Appointment['kind'], GlyphName> = { event: 'calendar', meeting: 'video', form: 'today' }

function One({ appointment, now, withDay }: { appointment: Appointment; now: number; withDay?: boolean }) {
  const { say } = useSpeaker()
  const clock = useClock()
  const { kind, title, description, starts, minutes, people, join, form } = appointment
  const facts = [
    withDay ? clock.moment(starts) : clock.time(starts),
    minutes === undefined ? undefined : clock.length(minutes * 60_000),
    people.length ? say('calendar.with', { people: people.join(', ') }) : undefined,
    form ? say('calendar.opens') : undefined,
    form?.closes === undefined ? undefined : say('home.until', { time: clock.moment(form.closes) }),
  ].filter((each) => each !== undefined)
  return (
    <li>
      <div>
        <span class="row-icon">
          <Glyph name={icons[kind]} />
        </span>
        <span class="row-text">
          <span class="row-title" {...(kind === 'form' ? studyText(title) : writtenText())}>
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
            <span class="description" {...writtenText()}>
              {description}
            </span>
          )}
          {join && join.until > now && (
            <span class="join">
              {join.from <= now ? (
                <a class="button main" href={join.url} target="_blank" rel="noreferrer">
                  <Glyph name="video" />
                  {say('calendar.join')}
                </a>
              ) : (
                <span class="note">{say('calendar.joinFrom', { time: clock.moment(join.from) })}</span>
              )}
            </span>
          )}
        </span>
      </div>
    </li>
  )
}
