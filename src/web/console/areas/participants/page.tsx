/** The grid of participants. Its address says which are shown, in which order, and whose details are open. */
import { useSignal } from '@preact/signals'
import { useMemo, useState } from 'preact/hooks'
import { stateOfAct } from '#web/console/data/access'
import { useStudy } from '#web/console/data/study'
import { ActButton, Failure, Grid, LockBand, PageHead, type RowRange, useKeys } from '#web/console/parts/parts'
import { go, path, pathIn, query, setQuery } from '#web/console/shell/router'
import { saveFile } from '#web/kit/files/saveFile'
import { useNow } from '#web/kit/page/useNow'
import { Button, Skeleton, showToast } from '#web/kit/ui/components'
import { FILTER_BUTTON, FilterBar, SEARCH_FIELD, Views } from './bar'
import { columnsOf } from './columns'
import { filtersOf } from './filters'
import { GridFoot, NoParticipants } from './foot'
import { ParticipantInspector } from './inspector'
import {
  exportList,
  keyOf,
  type ListOf,
  type Participant,
  positions,
  sortOf,
  sortText,
  terms,
  useParticipants,
} from './list'
import { Registration } from './registration'
import { participants } from './texts'

const sortNames = {
  id: 'participants.id',
  ratioComplete: 'participants.progress',
  hasUnreadMessages: 'participants.unread',
  lastSeenAt: 'participants.lastSeen',
  createdAt: 'participants.registered',
} as const

export function Page() {
  const translator = participants.useTranslator()
  const { t, count } = translator
  const study = useStudy()
  const now = useNow()
  const filters = filtersOf(query.value)
  const sort = sortOf(query.value)
  const term = terms.value.get(study._id) ?? ''
  const shownList: ListOf = { study: study._id, filters, sort, term }
  const key = keyOf(shownList)
  const list = useParticipants(shownList)
  const columns = useMemo(() => columnsOf(translator, study, now), [translator, study, now])
  const range = useSignal<RowRange>({ from: 0, to: 0 })
  const [isRegistering, setRegistering] = useState(false)
  const [isExporting, setExporting] = useState(false)
  const [newcomer, setNewcomer] = useState<Participant>()
  const open = query.value.get('open') ?? undefined
  const selected =
    open === undefined ? undefined : (rowOf(list, open) ?? (newcomer?._id === open ? newcomer : undefined))

  const sortWords = t(sort.order === 'asc' ? 'participants.sortedUp' : 'participants.sortedDown', {
    column: t(sortNames[sort.by as keyof typeof sortNames]),
  })
  const registration = stateOfAct('registerParticipants', study.place)
  const setTerm = (next: string) => {
    terms.value = new Map(terms.peek()).set(study._id, next)
  }
  const select = ({ _id }: Participant) => {
    if (_id !== open) setQuery({ open: _id }, open === undefined ? 'push' : 'replace')
  }
  const close = () => {
    setQuery({ open: undefined }, 'replace')
    document.querySelector<HTMLElement>('.grid [data-row][tabindex="0"]')?.focus()
  }
  const save = async () => {
    setExporting(true)
    const answer = await exportList(shownList)
    setExporting(false)
    if (answer.isDone) saveFile(new Blob([answer.body.csv], { type: 'text/csv' }), `${study.segment}-participants.csv`)
    else showToast(answer.message, 'info')
  }
  const focus = (id: string) => document.getElementById(id)?.focus()
  useKeys({
    '/': () => focus(SEARCH_FIELD),
    f: () => document.getElementById(FILTER_BUTTON)?.click(),
    Escape: () => open !== undefined && close(),
    n: () => registration === 'now' && setRegistering(true),
  })

  const { total } = list
  return (
    <div class="with-inspector">
      <div>
        <PageHead
          title={t('participants.title')}
          tab={`${t('participants.title')} · ${study.name}`}
          after={
            total !== undefined && (
              <span class="soft" role="status">
                <bdi>{count('participants.count', total)}</bdi>
              </span>
            )
          }
        >
          <Button isBusy={isExporting} isDisabled={!total} onPress={save}>
            {t('participants.export')}
          </Button>
          <ActButton state={registration} kind="main" icon="add" shortcut="N" onPress={() => setRegistering(true)}>
            {t('participants.register')}
          </ActButton>
        </PageHead>
        <LockBand trial={study.trial} />
        {list.failure?.status !== 403 && (
          <>
            <Views filters={filters} total={total} />
            <FilterBar filters={filters} term={term} onTerm={setTerm} sortWords={sortWords} />
          </>
        )}
        {list.failure && <Failure failure={list.failure} onAgain={list.reload} />}
        {total === undefined && !list.failure && <Skeleton lines={8} />}
        {total === 0 && !list.isLoading && (
          <NoParticipants
            isFiltered={filters.length > 0 || term !== ''}
            onClear={() => {
              setTerm('')
              go(path.peek())
            }}
          >
            <ActButton state={registration} kind="main" onPress={() => setRegistering(true)}>
              {t('participants.register')}
            </ActButton>
          </NoParticipants>
        )}
        {total !== undefined && total > 0 && (
          <>
            <Grid
              label={t('participants.title')}
              list={list}
              listKey={key}
              columns={columns}
              keyOf={({ _id }) => _id}
              selected={open}
              sort={sort}
              onSort={(next) => setQuery({ sort: sortText(next) })}
              onSelect={select}
              onOpen={({ _id }) => go(pathIn(study.segment, 'participants', _id))}
              initial={positions.get(key) ?? 0}
              onMove={(at) => void positions.set(key, at)}
              range={range}
            />
            <GridFoot total={total} range={range} />
          </>
        )}
      </div>
      {selected && <ParticipantInspector participant={selected} onClose={close} />}
      {isRegistering && (
        <Registration
          onClose={() => setRegistering(false)}
          onDone={(participant) => {
            setRegistering(false)
            setNewcomer(participant)
            showToast(t('participants.registeredNow', { id: participant.id }))
            list.reload()
            setQuery({ open: participant._id })
          }}
        />
      )}
    </div>
  )
}

/** A participant among the rows that have been read. */
function rowOf(list: ReturnType<typeof useParticipants>, _id: string): Participant | undefined {
  for (const row of list.known()) if (row._id === _id) return row
  return undefined
}
