/** The queries of a study: a list by what they wait for, and the chosen one with its field, value and history. */
import { useMemo, useRef, useState } from 'preact/hooks'
import { session } from '#web/console/data/session'
import { useStudy } from '#web/console/data/study'
import { useItem } from '#web/console/data/useItem'
import { field, ReadingProvider, useReadingContext } from '#web/console/parts/field/field'
import { Failure, LockBand, PageHead, useKeys } from '#web/console/parts/parts'
import type { AreaProps } from '#web/console/shell/areaProps'
import { query as search, setQuery } from '#web/console/shell/router'
import { Skeleton, showToast } from '#web/kit/ui/components'
import { Filters, Views } from './filterBar'
import { filtersIn, requestOf, searchOf } from './filters'
import { QueryInspector } from './inspector'
import { QueryList } from './list'
import { useTranslator } from './texts'

export const Page = (_: AreaProps) => (
  <field.Texts>
    <QueriesPage />
  </field.Texts>
)

function QueriesPage() {
  const { t } = useTranslator()
  const { _id, trial } = useStudy()
  const user = session.value?.user._id ?? ''
  const context = useReadingContext(trial?.timezone ?? 'UTC')
  const filters = useMemo(() => filtersIn(Object.fromEntries(search.value)), [search.value])
  const request = useMemo(() => requestOf(filters, user), [filters, user])
  const { body, failure, reload } = useItem('listQueries', '/trials/:trialId/queries', [_id], request)
  const stages = useItem('listStages', '/trials/:trialId/stages', [_id])
  const openId = search.value.get('open') ?? undefined
  const list = body?.queries ?? []

  /** The query (`_id`) whose reply the person goes on with. */
  const [going, setGoing] = useState<string>()
  const open = (id: string | undefined, how: 'push' | 'replace') => {
    setGoing(undefined)
    setQuery({ open: id }, how)
  }
  /** Where the list goes on after the chosen one has left it. */
  const next = useRef<string | undefined>(undefined)
  const at = list.findIndex((each) => each._id === openId)
  if (at >= 0) next.current = (list[at + 1] ?? list[at - 1])?._id

  /** After the chosen one was answered, closed or opened again: it is no longer in this view, and the next one is there. */
  function goOn(status: string): void {
    reload()
    if (filters.view === 'all' || filters.view === status) return
    open(next.current, 'replace')
    setGoing(next.current)
    if (next.current !== undefined) return
    showToast(t('queries.done'), 'info')
    document.querySelector('h1')?.focus()
  }

  /** Goes so many rows further. */
  const move = (step: 1 | -1) => () => {
    const to = list[at < 0 ? 0 : at + step]
    if (!to) return
    open(to._id, openId === undefined ? 'push' : 'replace')
    document.getElementById(`query-${to._id}`)?.focus()
  }
  useKeys({
    j: move(1),
    k: move(-1),
    r: () => document.querySelector<HTMLElement>('.inspector textarea')?.focus(),
  })

  return (
    <>
      <PageHead title={t('queries.title')} />
      <LockBand trial={trial} />
      <Views filters={filters} />
      <Filters filters={filters} />
      <div class={openId ? 'panes queries has-open' : 'panes queries'}>
        {failure && !body ? (
          <Failure failure={failure} onAgain={reload} />
        ) : !body || !context ? (
          <Skeleton lines={8} />
        ) : (
          <ReadingProvider value={context}>
            <QueryList
              page={body}
              filters={filters}
              openId={openId}
              stages={stages.body?.stages ?? []}
              hrefOf={(changes) => `?${new URLSearchParams(given({ ...searchOf(filters), ...changes }))}`}
              open={(id) => open(id, openId === undefined ? 'push' : 'replace')}
            />
            <QueryInspector
              key={openId ?? 'none'}
              id={openId}
              known={list.find((each) => each._id === openId)}
              stages={stages.body?.stages}
              isNext={openId !== undefined && openId === going}
              onChanged={goOn}
              onClose={() => {
                open(undefined, 'replace')
                document.getElementById(`query-${openId}`)?.focus()
              }}
            />
          </ReadingProvider>
        )}
      </div>
    </>
  )
}

/** The parts of an address that say something. */
const given = (all: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(all).filter((each): each is [string, string] => each[1] !== undefined))
