import type { TextsLike } from '#web/kit/language/catalogue'
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

  'health.title': 'حالة الخادم',
  'health.ok': 'الخدمة تعمل، ولا خلل فيها.',
  'health.warning': 'الخدمة تعمل. ينبغي أن يتفقدها أحد.',
  'health.failing': 'الخدمة معطلة: هناك ما لم يعد يُنجز.',
  'health.rest': 'يُعرض الخلل لمن يدير الخادم: على جهازه نفسه، ولمديري الفرق.',
  'health.signIn': 'تسجيل الدخول',
  'health.version': 'الإصدار {version}',
  'health.diskFull': 'القرص ممتلئ: لا يمكن كتابة شيء.',
  'health.diskSpace': 'المساحة الخالية على القرص أقل من 1 غيغابايت.',
  'health.folder': 'لا يمكن الكتابة في مجلد البيانات أو في مجلد داخله.',
  'health.disk': 'لا يمكن استخدام مجلد البيانات؛ يذكر السجل السبب.',
  'health.clock': 'الساعة متأخرة عن آخر ما كُتب: لا يُكتب شيء حتى تصبح صحيحة.',
  'health.clockStep': 'قفزت ساعة الجهاز. يتابع الخادم بوقته الخاص.',
  'health.clockNew': 'لا يُعرف شيء بعد عن ساعة الجهاز.',
  'health.database': 'ملف قاعدة البيانات تالف: استعد نسخة احتياطية.',
  'health.verify': 'وجد فحص البيانات خللًا: يوضح الأمر ”trialbox verify“ المزيد.',
  'health.certificate': 'انتهت الشهادة أو تنتهي خلال 14 يومًا.',
  'health.backup': 'لم تُصنع نسخة احتياطية منذ 7 أيام.',
  'health.clockTitle': 'الساعة',
  'health.shown': 'تعرض ساعة الجهاز',
  'health.expected': 'توقع الخادم',
  'health.newest': 'آخر كتابة',
  'health.until': 'من دون قرار، يتبعها الخادم ابتداءً من',
  'health.heldMeans':
    'يمكن العمل. لكن حتى ذلك الوقت لا يرسل الخادم تذكيرات ولا يُنهي شيئًا ولا يحذف شيئًا بسبب الوقت. إذا كانت ساعة الجهاز خاطئة فاضبطها.',
  'health.behindMeans':
    'إذا كانت الساعة خاطئة فاضبطها: عندئذ يتابع الخادم من تلقاء نفسه. وإذا كانت صحيحة وكانت متقدمة من قبل فأكّدها.',
  'health.needsAdmin': 'يمكن لمدير فريق أن يؤكد الساعة هنا.',
  'health.right': 'الساعة صحيحة',
  'health.acceptTitle': 'هل الوقت الذي يعرضه الجهاز صحيح؟',
  'health.acceptNote':
    'قارنه بساعة أخرى. عندئذ يتبعها الخادم فورًا: يُرسل ما حان وقته ويُحذف ما انتهى. يحفظ السجل من أكدها.',
  'health.accepted': 'أُكّدت الساعة. يتبعها الخادم.',

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
