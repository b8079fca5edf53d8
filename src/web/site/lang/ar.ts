import type { TextsLike } from '#web/common/catalogue'
import type { en } from './en'

/** The texts of the first pages and the manual in Arabic. They show that every page works from right to left. No translator has reviewed them. */
export const ar = {
  'landing.title': 'دراسة سريرية كاملة في مكان واحد',
  'landing.lead':
    'هذا خادم Trialbox. تُحفظ هنا، على هذا الجهاز، نماذج الدراسة والمشاركون والمواعيد والملفات والموافقات وسجل التدقيق.',
  'landing.takePart': 'أشارك في دراسة',
  'landing.takePartNote': 'النماذج والرسائل والمواعيد',
  'landing.account': 'كلمة المرور وتسجيل الدخول بخطوتين والجلسات ومفاتيح واجهة البرمجة التي تستخدمها برامجك.',
  'landing.api': 'كل عملية وما تحتاج إليه وما تعيده. جرّبها في المتصفح، بالإنجليزية.',
  'landing.manual': 'كيف تدير دراسة وهذا الخادم، مع بحث، بالإنجليزية. لا يحتاج إلى الإنترنت.',
  'landing.document': 'مستند OpenAPI',
  'landing.documentNote': 'المحتوى نفسه للبرامج التي تكتب عملاء.',
  'landing.checking': 'جارٍ التحقق من عمل الخدمة…',
  'landing.runs': 'الخدمة تعمل.',
  'landing.runsVersion': 'الخدمة تعمل. الإصدار {version}',

  'missing.note': 'ربما كُتب العنوان خطأً.',

  'setup.page': 'الإعداد',
  'setup.title': 'إعداد حسابك',

  'account.title': 'الحساب',

  'manual.suffix': 'دليل Trialbox',
  'manual.search': 'ابحث في الدليل',
  'manual.submit': 'بحث',
  'manual.contents': 'المحتويات',
  'manual.results': 'البحث',
  'manual.hits.zero': 'لا أقسام فيها «{query}»',
  'manual.hits.one': 'قسم واحد فيه «{query}»',
  'manual.hits.two': 'قسمان فيهما «{query}»',
  'manual.hits.few': '{count} أقسام فيها «{query}»',
  'manual.hits.many': '{count} قسمًا فيه «{query}»',
  'manual.hits.other': '{count} قسم فيه «{query}»',
  'manual.noHits': 'لا يحتوي أي قسم على كل هذه الكلمات. جرّب كلمات أقل أو أقصر، بالإنجليزية.',
  'manual.missing': 'لا توجد صفحة كهذه',
  'manual.missingNote': 'اختر صفحة من المحتويات أو ابحث عن كلمة.',
  'manual.around': 'قبل وبعد',
  'manual.previous': 'السابق',
  'manual.next': 'التالي',
} as const satisfies TextsLike<typeof en>
