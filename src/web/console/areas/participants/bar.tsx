/** Above the grid: named lists, the filters in words, and the search for an ID. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useStudy } from '#web/console/data/study'
import { Icon, PickList, Popover } from '#web/console/parts/parts'
import { path, setQuery } from '#web/console/shell/router'
import { type Filter, filtersIn, filterWords } from './filters'
import { participants } from './texts'

export const FILTER_BUTTON = 'filter-participants'
export const SEARCH_FIELD = 'search-participants'

/** Lists that people open often. Each is an address. */
const views = [
  { title: 'view.all', query: '' },
  { title: 'view.behind', query: 'f.schedule=behind' },
  { title: 'view.unread', query: 'f.unread=yes' },
  { title: 'view.notJoined', query: 'f.joined=no' },
] as const

/** @param total of the list that is shown */
export function Views({ filters, total }: { filters: readonly Filter[]; total: number | undefined }) {
  const { t } = participants.useTranslator()
  const now = filters.map(({ field, value }) => `f.${field}=${value}`).join('&')
  return (
    <nav class="tabs" aria-label={t('view.title')}>
      {views.map(({ title, query }) => (
        <a
          key={title}
          href={query ? `${path.value}?${query}` : path.value}
          aria-current={query === now ? 'page' : undefined}
        >
          {t(title)}
          {query === now && total !== undefined && <b>{total}</b>}
        </a>
      ))}
    </nav>
  )
}

type BarProps = { filters: readonly Filter[]; sortWords: string; term: string; onTerm: (term: string) => void }

export function FilterBar({ filters, sortWords, term, onTerm }: BarProps) {
  const translator = participants.useTranslator()
  const { t } = translator
  const study = useStudy()
  const choose = (id: string, close: () => void) => {
    const [field = '', value = ''] = id.split('=')
    close()
    setQuery({ [`f.${field}`]: value, open: undefined })
  }
  const open = filtersIn(study).filter(
    (each) => !filters.some((one) => one.field === each.field && one.value === each.value),
  )
  return (
    <div class="bar">
      <Search term={term} onTerm={onTerm} />
      {filters.map((filter) => {
        const { of, label } = filterWords(translator, study, filter)
        return (
          <button
            key={filter.field}
            type="button"
            class="chip on"
            aria-label={t('filter.remove', { filter: `${of}: ${label}` })}
            onClick={() => {
              setQuery({ [`f.${filter.field}`]: undefined })
              document.getElementById(FILTER_BUTTON)?.focus()
            }}
          >
            <span>{of}</span> <bdi>{label}</bdi>
            <Icon name="close" />
          </button>
        )
      })}
      <Popover
        name="chip add"
        id={FILTER_BUTTON}
        label={t('filter.add')}
        button={
          <>
            <Icon name="filter" />
            {t('filter.add')}
            <span aria-hidden="true">
              <kbd>F</kbd>
            </span>
          </>
        }
      >
        {(close) => (
          <PickList
            label={t('filter.type')}
            none={t('filter.none')}
            picks={open.map((each) => ({ id: `${each.field}=${each.value}`, ...filterWords(translator, study, each) }))}
            onPick={(id) => choose(id, close)}
          />
        )}
      </Popover>
      <span class="grow" />
      <span class="soft sort-words">{sortWords}</span>
    </div>
  )
}

/** How long after a key the list is read, in milliseconds. */
const PAUSE = 200

function Search({ term, onTerm }: { term: string; onTerm: (term: string) => void }) {
  const { t } = participants.useTranslator()
  const [typed, setTyped] = useState(term)
  const latest = useRef(onTerm)
  latest.current = onTerm
  useEffect(() => {
    if (typed === term) return
    const timer = setTimeout(() => latest.current(typed.trim()), PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  useEffect(() => {
    if (!term) setTyped('')
  }, [term])
  return (
    <input
      id={SEARCH_FIELD}
      type="search"
      class="input search"
      aria-label={t('participants.search')}
      placeholder={t('participants.search')}
      autoComplete="off"
      spellcheck={false}
      value={typed}
      onInput={({ currentTarget }) => setTyped(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
        event.preventDefault()
        document.querySelector<HTMLElement>('.grid [data-row][tabindex="0"]')?.focus()
      }}
    />
  )
}
