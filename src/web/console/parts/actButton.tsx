import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import type { ActState } from '#web/console/data/access'
import { useShellTranslator } from '#web/console/lang/texts'
import { Icon, type IconName } from './icon'

type Props = {
  /** From `stateOfAct`. */
  state: ActState
  kind?: 'main' | 'quiet'
  icon?: IconName
  /** The key that does the same. */
  shortcut?: string
  isBusy?: boolean
  onPress: () => void
  children: ComponentChildren
}

/** What can be done. Who may never do it does not see it; what a lock forbids now is shown with the reason. */
export function ActButton({ state, kind = 'quiet', icon, shortcut, isBusy = false, onPress, children }: Props) {
  const { t } = useShellTranslator()
  const id = useId()
  if (state === 'never') return null
  const reason =
    state === 'now' ? undefined : t(state === 'data' ? 'console.lockedData' : 'console.lockedConfiguration')
  return (
    <>
      <button
        type="button"
        class={`button ${kind}`}
        aria-disabled={reason || isBusy ? true : undefined}
        aria-busy={isBusy || undefined}
        aria-describedby={reason ? id : undefined}
        title={reason}
        onClick={() => !reason && !isBusy && onPress()}
      >
        {icon && <Icon name={reason ? 'lock' : icon} />}
        <span>{children}</span>
        {shortcut && !reason && (
          <span class="shortcut" aria-hidden="true">
            <kbd>{shortcut}</kbd>
          </span>
        )}
      </button>
      {reason && (
        <span id={id} class="hidden">
          {reason}
        </span>
      )}
    </>
  )
}
