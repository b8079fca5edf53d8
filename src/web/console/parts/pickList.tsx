import { useId, useState } from 'preact/hooks'
import { fits, type Pick } from './fits'

type Props = {
  label: string
  picks: readonly Pick[]
  /** What is said if nothing fits what was typed. */
  none: string
  onPick: (id: string) => void
}

/** A list from which one is chosen by typing, with arrows or by a press. */
export function PickList({ label, picks, none, onPick }: Props) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const found = picks.filter((each) => fits(typed.trim(), each))
  const at = Math.min(active, found.length - 1)
  const move = (by: number) => {
    const next = (at + by + found.length) % Math.max(1, found.length)
    setActive(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const pick = found[at]
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter' && pick) onPick(pick.id)
    else return
    event.preventDefault()
  }
  return (
    <div class="pick-list">
      <input
        type="text"
        class="input"
        role="combobox"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={found.length ? `${id}-${at}` : undefined}
        autoComplete="off"
        placeholder={label}
        value={typed}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" aria-label={label}>
        {found.map((pick, n) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field.
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field.
          <div
            key={pick.id}
            id={`${id}-${n}`}
            role="option"
            aria-selected={n === at}
            onPointerMove={() => setActive(n)}
            onClick={() => onPick(pick.id)}
          >
            <span class="soft">{pick.of}</span> <bdi>{pick.label}</bdi>
          </div>
        ))}
      </div>
      {!found.length && <p class="soft">{none}</p>}
    </div>
  )
}
