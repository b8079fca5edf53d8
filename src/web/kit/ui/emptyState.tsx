import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon'

type Props = { icon?: IconName; title: string; note?: string; children?: ComponentChildren }

/** What stands where there is nothing yet: what will be here, and how it comes here. */
export const EmptyState = ({ icon = 'inbox', title, note, children }: Props) => (
  <div class="empty">
    <Icon name={icon} />
    <p class="empty-title">{title}</p>
    {note && <p class="note">{note}</p>}
    {children}
  </div>
)
