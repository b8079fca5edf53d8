/** The first page: what can be done now, and what comes. */

import { useState } from 'preact/hooks'
import { useNow } from '#web/kit/page/useNow'
import { smallStorage } from '#web/kit/storage/smallStorage'
import { EmptyState, Notice, Progress } from '#web/kit/ui/components'
import { useCopy } from '#web/participant/device/copies'
import { drafts } from '#web/participant/device/drafts'
import { entries } from '#web/participant/device/queue'
import { person } from '#web/participant/device/session'
import { ConsentNotice } from '#web/participant/form/consent'
import { useTranslator } from '#web/participant/texts'
import type { Timeline } from './apiTypes'
import { ComingForms, PastForms } from './formLists'
import { arrangeTimeline, type Day, type Group, type Item, type OnDevice, withdrawnDay } from './homeRules'
import { InstallHint } from './install'
import { OfflineForms, openingSoon } from './offlineForms'
import { timelinePath } from './offlinePages'
import { CopyContent, Page, RefreshButton } from './page'
import { FormCard, FormLine } from './stageCard'
import { useClock, useStudy } from './study'
import { ThreadNotices, UnreadNotices } from './urgent'

function onDevice(): OnDevice {
  return {
    drafts: new Set(drafts.value.map(({ occurrence }) => occurrence)),
    entries: new Map(
      // What the study team did not enter says nothing about the form any more.
      entries.value.flatMap(({ occurrence, state }) => (state === 'declined' ? [] : [[occurrence, state] as const])),
    ),
  }
}

export function Home() {
  const { t } = useTranslator()
  const { me, refresh } = useStudy()
  const clock = useClock()
  const now = useNow()
  const copy = useCopy<Timeline>(timelinePath(person.value?.trial))
  const hasLeft = me?.participant.isWithdrawn === true
  const refreshAll = () => void Promise.all([copy.refresh(), refresh()])
  return (
    <Page
      title={t('app.today')}
      note={clock.day(now)}
      action={<RefreshButton isLoading={copy.isLoading} onPress={refreshAll} />}
    >
      {hasLeft && (
        <Notice kind="info" title={t('home.withdrawn')}>
          {t('home.withdrawnNote')}
        </Notice>
      )}
      {!hasLeft && me?.consentNeeded && <ConsentNotice needed={me.consentNeeded} />}
      <UnreadNotices />
      <ThreadNotices />
      <CopyContent copy={copy}>
        {({ stages }) => {
          const knownAt = copy.at ? Date.parse(copy.at) : now
          const day = arrangeTimeline(stages, onDevice(), { now, knownAt })
          return hasLeft ? <WithdrawnForms day={withdrawnDay(day)} now={now} /> : <Forms day={day} now={now} />
        }}
      </CopyContent>
    </Page>
  )
}

/** How many open forms are shown at first, and how many more each time. */
const [FIRST, MORE] = [20, 60]

/** How many the person has come to: they find them so when they come back to the page. */
let shownBefore = FIRST

function Forms({ day, now }: { day: Day; now: number }) {
  const { t, count } = useTranslator()
  const [shown, setShown] = useState(shownBefore)
  shownBefore = shown
  const { all, done, anyTime, coming, past } = day
  return (
    <>
      {done === 0 && past.length === 0 && all > 0 && <Welcome />}
      {all > 0 && (
        <Progress label={t('home.progress')} share={done / all} note={count('home.done', done, { all: `${all}` })} />
      )}
      <section aria-labelledby="now">
        <h2 id="now" class="section-title">
          {t('home.now')}
        </h2>
        {day.now.length === 0 && <NothingOpen next={coming[0]} isAll={all > 0 && done === all} hasForms={all > 0} />}
        {day.now.slice(0, shown).map((group) => (
          <OpenGroup key={group.item.entry._id} group={group} now={now} />
        ))}
        {day.now.length > shown && (
          <button type="button" class="plain" onClick={() => setShown(shown + MORE)}>
            {t('app.showMore')}
          </button>
        )}
      </section>
      {anyTime.length > 0 && (
        <section aria-labelledby="any-time">
          <h2 id="any-time" class="section-title">
            {t('home.anyTime')}
          </h2>
          <ul class="lines">
            {anyTime.map((item) => (
              <FormLine key={item.entry._id} item={item} now={now} />
            ))}
          </ul>
        </section>
      )}
      <InstallHint />
      <ComingForms items={coming} now={now} />
      <PastForms items={past} now={now} />
      <OfflineForms items={[...day.now.map(({ item }) => item), ...anyTime, ...openingSoon(coming, now)]} />
    </>
  )
}

/** Nothing is asked any more. */
function WithdrawnForms({ day, now }: { day: Day; now: number }) {
  return (
    <>
      {day.now.map((group) => (
        <OpenGroup key={group.item.entry._id} group={group} now={now} />
      ))}
      <PastForms items={day.past} now={now} />
    </>
  )
}

/** A form that is open, and behind it those of the same form from before that are open still. */
function OpenGroup({ group: { item, earlier }, now }: { group: Group; now: number }) {
  const { count } = useTranslator()
  return (
    <>
      <FormCard item={item} now={now} />
      {earlier.length > 0 && (
        <details class="fold earlier">
          <summary>{count('home.earlier', earlier.length)}</summary>
          <ul class="lines">
            {earlier.slice(0, 100).map((each) => (
              <FormLine key={each.entry._id} item={each} now={now} />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function NothingOpen({ next, isAll, hasForms }: { next: Item | undefined; isAll: boolean; hasForms: boolean }) {
  const { t } = useTranslator()
  const clock = useClock()
  const note =
    next?.opens !== undefined ? t('home.next', { form: next.entry.name, time: clock.moment(next.opens) }) : undefined
  const fallback = t(isAll ? 'home.allDone' : hasForms ? 'home.noneNote' : 'home.emptyNote')
  return (
    <div class="card">
      <EmptyState icon="success" title={t(hasForms ? 'home.none' : 'home.empty')} note={note ?? fallback} />
    </div>
  )
}

const WELCOMED = 'welcomed'

/** Said once, before the first form. */
function Welcome() {
  const { t } = useTranslator()
  const { me } = useStudy()
  const who = person.value?.who ?? ''
  const [isSeen, setSeen] = useState(smallStorage.getItem(WELCOMED) === who)
  if (isSeen || !me) return null
  const dismiss = () => {
    smallStorage.setItem(WELCOMED, who)
    setSeen(true)
  }
  return (
    <section class="card welcome" aria-labelledby="welcome">
      <h2 id="welcome" dir="auto">
        {t('home.welcome', { study: me.trial.name })}
      </h2>
      <p>{t('home.welcomeNote')}</p>
      <p class="note">{t('home.welcomeOffline')}</p>
      <button type="button" class="plain" onClick={dismiss}>
        {t('home.understood')}
      </button>
    </section>
  )
}
