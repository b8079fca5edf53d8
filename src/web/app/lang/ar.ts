import { frame } from '#web/app/lang/frame/ar'
import { home } from '#web/app/lang/home/ar'
import { pages } from '#web/app/lang/pages/ar'
import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the app of participants in Arabic. They show that every page works from right to left. No translator has reviewed them. */
export const ar = {
  ...frame,
  ...home,
  ...pages,
  'app.notFound': 'هذه الصفحة غير موجودة',
  'app.toStart': 'إلى البداية',
} as const satisfies TextsLike<typeof en>
