/** The columns of the grid of participants. */
import type { Study } from '#web/console/data/study'
import type { GridColumn } from '#web/console/parts/parts'
import { pathIn } from '#web/console/shell/router'
import type { Language } from '#web/kit/language/languages'
import { agoText, dateText, shareText } from './dates'
import type { Participant } from './list'
import type { participants } from './texts'

type Translator = ReturnType<typeof participants.useTranslator>

const None = () => <span class="faint">–</span>

/** How much of what could be answered has been answered. */
export function Meter({ ratio, language }: { ratio: number; language: Language }) {
  return (
    <span class="meter">
      <span class="meter-line" aria-hidden="true">
        <span style={{ width: `${Math.round(ratio * 100)}%` }} />
      </span>
      <bdi class="soft">{shareText(language, ratio)}</bdi>
    </span>
  )
}

/** How the participant is with the schedule. */
export function ScheduleText({ translator, participant }: { translator: Translator; participant: Participant }) {
  const { t, count } = translator
  const { isArchived, isWithdrawn, progress } = participant
  if (isWithdrawn) return <span class="pill waiting">{t('participants.withdrawn')}</span>
  if (isArchived) return <span class="pill waiting">{t('participants.archived')}</span>
  if (progress.stagesBehindSchedule)
    return (
      <span class="pill behind">
        <bdi>{count('participants.behind', progress.stagesBehindSchedule)}</bdi>
      </span>
    )
  return <span class="soft">{t('participants.onSchedule')}</span>
}

/** The names of places; of those that the person may not list, nothing is said. */
export const namesOf = (ids: readonly string[], places: readonly { _id: string; name: string }[]): string =>
  ids.flatMap((id) => places.find(({ _id }) => _id === id)?.name ?? []).join(', ')

export function columnsOf(translator: Translator, study: Study, now: number): readonly GridColumn<Participant>[] {
  const { t, language } = translator
  const places = (ids: readonly string[], all: readonly { _id: string; name: string }[]) => {
    const names = namesOf(ids, all)
    return names ? <bdi title={names}>{names}</bdi> : <None />
  }
  const columns: (GridColumn<Participant> | false)[] = [
    {
      name: 'c-id',
      title: t('participants.id'),
      sort: { by: 'id', first: 'asc' },
      cell: ({ _id, id }) => (
        <a href={pathIn(study.segment, 'participants', _id)} tabIndex={-1}>
          <bdi>{id}</bdi>
        </a>
      ),
    },
    {
      name: 'c-schedule',
      title: t('participants.schedule'),
      cell: (participant) => <ScheduleText translator={translator} participant={participant} />,
    },
    {
      name: 'c-progress',
      title: t('participants.progress'),
      sort: { by: 'ratioComplete', first: 'asc' },
      cell: ({ progress }) => <Meter ratio={progress.ratioComplete} language={language} />,
    },
    study.sites.length > 0 && {
      name: 'c-site',
      title: t('filter.site'),
      cell: ({ sites }) => places(sites, study.sites),
    },
    study.groups.length > 0 && {
      name: 'c-group soft',
      title: t('filter.group'),
      cell: ({ groups }) => places(groups, study.groups),
    },
    {
      name: 'c-unread',
      title: t('participants.unread'),
      isNumber: true,
      sort: { by: 'hasUnreadMessages', first: 'desc' },
      cell: ({ unreadCount }) => (unreadCount ? <span class="pill query">{unreadCount}</span> : <None />),
    },
    {
      name: 'c-joined soft',
      title: t('participants.registered'),
      isNumber: true,
      sort: { by: 'createdAt', first: 'desc' },
      cell: ({ createdAt }) => <bdi>{dateText(language, createdAt)}</bdi>,
    },
    {
      name: 'c-seen soft',
      title: t('participants.lastSeen'),
      isNumber: true,
      sort: { by: 'lastSeenAt', first: 'desc' },
      cell: ({ lastSeenAt }) =>
        lastSeenAt ? (
          <bdi title={dateText(language, lastSeenAt)}>{agoText(language, lastSeenAt, now)}</bdi>
        ) : (
          <span class="faint">{t('participants.never')}</span>
        ),
    },
  ]
  return columns.filter((each) => each !== false)
}
