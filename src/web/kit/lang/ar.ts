import type { TextsLike } from '#web/kit/language/catalogue'
import type { en } from './en'

/** The texts of the components and the frame of pages in Arabic. They show that every page works from right to left. No translator has reviewed them. */
export const ar = {
  'site.skip': 'انتقل إلى المحتوى',
  'site.pages': 'الصفحات',
  'site.manual': 'الدليل',
  'site.api': 'واجهة البرمجة',
  'site.account': 'الحساب',
  'site.language': 'اللغة',
  'site.needsScript': 'تحتاج هذه الصفحة إلى JavaScript لإرسال ما تدخله إلى الخادم. فعّله ثم أعد تحميل الصفحة.',
  'site.loading': 'جارٍ التحميل…',
  'site.unreachable': 'تعذّر الوصول إلى الخادم. أعد المحاولة بعد قليل.',
  'site.failed': 'حدث خطأ ما. أعد المحاولة بعد قليل.',
  'site.notShown': 'تعذّر عرض هذه الصفحة',
  'site.notShownNote': 'حاول مرة أخرى. إن لم ينفع ذلك، فأعد تحميل الصفحة أو عُد لاحقًا.',
  'site.again': 'حاول مرة أخرى',
  'site.reload': 'أعد تحميل الصفحة',

  'field.optional': 'اختياري',
  'field.reveal': 'إظهار الأحرف',
  'field.conceal': 'إخفاء الأحرف',

  'dialog.cancel': 'إلغاء',
  'dialog.close': 'إغلاق',

  'toast.messages': 'الرسائل',
  'toast.dismiss': 'إغلاق هذه الرسالة',
} as const satisfies TextsLike<typeof en>
