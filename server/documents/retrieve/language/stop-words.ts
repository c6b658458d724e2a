import { onFirstUse } from "../../../lib/first-use.ts";
import { foldWord } from "./fold.ts";

export type LatinLanguage = keyof typeof LATIN;

// Function words, and the words of question phrases: "how long", "wie viele". They also identify the language of a text.
const LATIN = {
  en: `a an the this that these those and or but nor if then than so as at by for from in into of off on onto out over to
    up with without within about above below between during through under is are was were be been being am do does did
    done doing don have has had having can could may might must shall should will would it its he him his she her hers
    they them their we us our you your i me my mine what which who whom whose when where why how there here all any both
    each few more most other some such no not only own same too very just also ever much many long often please tell
    give according say says said mean means let get got need needs one happens happen know want`,
  de: `der die das den dem des ein eine einen einem einer eines kein keine keinen keiner und oder aber denn sondern wenn weil
    dass daß ob als wie wo wer wen wem wessen was wann warum wieso weshalb woher wohin womit wofür wodurch woran worauf
    worin wozu welche welcher welches welchen welchem wieviel viele viel wieviele ist sind war waren bin bist sei wird
    werden wurde wurden worden geworden hat haben hatte hatten habe kann können konnte konnten muss müssen musste soll
    sollen sollte darf dürfen will wollen möchte gibt gab ich du er sie es wir ihr mich mir dich dir ihm ihn uns euch
    mein dein sein seine seinen seiner seinem seines ihre ihren ihrer ihrem unser dieser diese dieses diesen diesem jener
    jene jeder jede jedes man sich nicht nur auch noch schon sehr so zu zum zur von vom bei beim mit nach aus auf für
    über unter vor hinter neben zwischen durch gegen ohne um an am in im ins bis seit während wegen laut da dort hier
    hin her dann doch etwa bitte heißt lautet nennt genannt laufen`,
  fr: `le la les l un une des du de d et ou mais donc or ni car que qui quoi dont où quand comment pourquoi combien quel
    quelle quels quelles lequel laquelle lesquels est sont était étaient être été fut furent sera seront ai as a ont
    avait avaient avoir eu peut peuvent doit doivent fait je tu il elle on nous vous ils elles me te se s lui leur leurs
    mon ma mes ton ta tes son sa ses notre nos votre vos ce c cet cette ces cela ça ne n pas plus moins très aussi y en
    à au aux avec sans sous sur dans par pour entre vers chez depuis pendant avant après selon si comme tout tous toute
    toutes qu j m t lors afin ainsi quelqu`,
  es: `el la los las un una unos unas lo al del de y e o u pero sino que quien quién quienes quiénes qué cual cuál cuales
    cuáles cuando cuándo donde dónde adónde como cómo cuanto cuánto cuantos cuántos cuanta cuánta cuantas cuántas por
    porque es son era eran ser sido fue fueron será está están estaba estaban estar hay había haber ha han he tiene
    tienen tenía puede pueden debe deben hace yo tú él ella ello nosotros ustedes ellos ellas me te se le les nos mi mis
    tu tus su sus este esta esto estos estas ese esa eso esos esas aquel no ni si sí más menos muy también ya a con sin
    sobre en entre hasta hacia desde durante para según todo todos toda todas cada uno otro otra`,
  it: `il lo la i gli le l un uno una di del dello della dei degli delle dell a al allo alla ai agli alle all da dal dallo
    dalla dai dagli dalle dall in nel nello nella nei negli nelle nell su sul sullo sulla sui sugli sulle sull con per
    tra fra e ed o ma se che chi cosa cui quale quali quando dove come perché quanto quanti quanta quante qual è sono
    era erano essere stato stata stati state fu furono sarà ha hanno aveva avevano avere può possono deve devono fa io
    tu lui lei noi voi loro mi ti si ci vi ne suo sua suoi sue mio mia questo questa questi queste quello quella quelli
    quelle non più meno molto anche già ogni tutto tutti tutta tutte dopo prima durante secondo c d s`,
  pt: `o a os as um uma uns umas de do da dos das em no na nos nas num numa por pelo pela pelos pelas para com sem sob
    sobre entre até desde durante segundo e ou mas que quem qual quais quando onde como porque quanto quantos quanta
    quantas é são era eram ser sido foi foram será está estão estava estar há havia ter tem têm tinha pode podem deve
    devem faz eu tu ele ela nós vós eles elles você vocês me te se lhe lhes seu sua seus suas meu minha este esta isto
    estes estas esse essa isso esses essas aquele aquela não nem mais menos muito também já ao aos à às cada todo todos
    toda todas outro outra`,
  nl: `de het een der des den en of maar want dat die dit deze wie wat waar wanneer waarom hoe welke welk hoeveel hoelang is
    zijn was waren ben bent wordt worden werd werden geworden heeft hebben had hadden kan kunnen kon moet moeten zal
    zullen zou mag ik jij je u hij zij ze wij we jullie hen hun haar hem zich mij me ons onze mijn jouw uw zijn er daar
    hier niet geen ook nog al wel zeer zo te tot van voor met zonder op in aan bij door over onder tussen naar uit om
    als dan toen volgens tijdens sinds elke elk alle`,
  sv: `den det de en ett och eller men som att om när var vem vad vilken vilket vilka hur varför varifrån vart är var blev
    blir bli blivit har hade ha kan kunde ska skulle måste får jag du han hon vi ni dem sig sin sitt sina min mitt mina
    din ditt hans hennes dess deras denna detta dessa inte ej också mycket många mer mest till från med utan på i av för
    över under mellan vid efter före genom enligt då där här så än ut upp år`,
  da: `den det de en et og eller men som at om når hvor hvem hvad hvilken hvilket hvilke hvordan hvorfor hvornår er var blev
    bliver blive blevet har havde have kan kunne skal skulle må vil jeg du han hun vi dem sig sin sit sine min mit mine
    din dit hans hendes dets deres denne dette disse ikke ej også meget mange mere mest til fra med uden på i af for over
    under mellem ved efter før gennem ifølge da der her så end ud op`,
  no: `den det de en et ei og eller men som at om når hvor hvem hva hvilken hvilket hvilke hvordan hvorfor er var ble blir
    bli blitt har hadde ha kan kunne skal skulle må vil jeg du han hun vi dem seg sin sitt sine min mitt mine din ditt
    hans hennes dets deres denne dette disse ikke også mye mange mer mest til fra med uten på i av for over under mellom
    ved etter før gjennom ifølge da der her så enn ut opp`,
  fi: `ja tai mutta että kun jos niin kuin koska vaikka joka jotka jonka jossa mikä mitä minkä missä mistä mihin milloin
    kuka kenen ketä miksi miten kuinka montako monta paljonko on ovat oli olivat ole olla ollut olisi ei eivät en hän
    se ne he me te minä sinä tämä tämän tuo tässä siinä siitä sen sitä niiden niitä hänen heidän myös vain vielä jo hyvin
    sekä eli kanssa mukaan`,
  hu: `a az egy és vagy de hogy ha mert mint aki ami amely amelyek ki kik mi mik mit mikor hol hová honnan miért hogyan
    hány mennyi melyik milyen van vannak volt voltak lesz lett nem ne is csak már még nagyon ez ezt azt ezek azok én te
    ő mi ti ők meg el fel le be ki szerint után előtt között alatt`,
  ro: `și si sau dar că ca dacă când cand unde cine ce care cum de câte câți cât cate cati cat la în in pe cu fără din
    dintre prin pentru despre după până este sunt era erau fi fost a au am ai are avea poate pot trebuie eu tu el ea noi
    voi ei ele se își îi îl o un una unui unei al ai ale lui lor său sa sale acest această aceste acesta aceasta nu mai
    foarte tot toate toți`,
  tr: `ve veya ya da de ki mi mı mu mü ama fakat ancak ile için gibi kadar göre sonra önce bir bu şu o bunlar onlar ne
    neden niçin nasıl nerede nereden nereye hangi hangisi kim kimin kaç kimdir nedir zaman ben sen biz siz onun bunun
    olan olarak oldu olduğu olur idi değil var yok daha en çok her hiç ise mıdır`,
};

// No spaces or endings separate these words, or writers attach them; one list serves the languages of a script.
const OTHER_SCRIPTS = `
  и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще нет о
    из ему когда где кто кого чей какой какая какое какие каком какую каких сколько почему зачем куда откуда чем чего
    кем ли если или быть был была были есть будет это этот эта эти этого этом тот та те того том их они она мы вас нас
    для до при под над об про между после перед через без который которая которое которые которого которой которых
    также более менее очень свой своей своего себя называется
  і й та або але що як це цей ця ці той та ті хто коли де чому скільки який яка яке які якого він вона воно вони ми ви
    його її їх був була було були є буде не у в на до від з із зі за під над про при по для між після через без
  ο η το οι τα του της των τον την τους τις ένας μια ένα και ή αλλά αν ότι που πως πώς πού πότε ποιος ποια ποιο ποιοι ποιες
    ποιον τι γιατί πόσο πόσοι πόσες πόσα είναι ήταν έχει έχουν είχε θα να δεν μη με σε από για στο στη στην στον στους
    στις στα ως κατά μετά πριν μεταξύ αυτό αυτή αυτός αυτά αυτές
  في من على إلى الى عن مع هذا هذه ذلك تلك هؤلاء التي الذي الذين اللذان ما ماذا من متى أين اين كيف لماذا لم لن لا هل كم أي
    اي أية هو هي هم هن أنا نحن أنت كان كانت كانوا يكون تكون ليس قد لقد أن ان إن كما أو او ثم بل لكن حتى إذا اذا كل بعض
    غير بين عند عندما منذ بعد قبل خلال حول ضد دون فوق تحت به بها له لها لهم فيه فيها منه منها عليه عليها إليه وهو وهي ولم
    وقد وكان وكانت تم يتم ايضا أيضا لدى بسبب الى و
  של את על עם אל מן זה זו זאת אלה הוא היא הם הן אני אתה אנחנו מה מי מתי איפה היכן איך כיצד למה מדוע כמה איזה איזו אילו
    האם לא גם או כי אם אבל רק היה היתה הייתה היו יש אין כל בין לפני אחרי
  का के की को में से पर ने और या है हैं था थे थी हो यह ये वह वे इस उस इन उन एक जो कि क्या कौन कब कहाँ कहां क्यों कैसे कितने
    कितना कितनी किस किसने किसे किसका भी नहीं तो ही लिए साथ तक द्वारा कर करने किया गया गई गए होता होती होते जिस अपने रूप
  的 了 是 在 和 与 與 及 或 也 都 而 又 被 把 对 對 从 從 由 为 為 于 於 以 等 有 个 個 这 這 那 其 之 他 她 它 我 你 您
    们 們 就 不 没 没有 沒有 到 什么 什麼 甚麼 哪 哪个 哪個 哪里 哪裡 哪裏 哪些 谁 誰 几 幾 多少 何 何时 何時 何处 怎么
    怎麼 怎样 怎樣 如何 为何 為何 吗 嗎 呢 吧 么 麼 啊 一个 一個 请 請 问 請問 请问 所 该 該 此 最 可 可以 能 会 會 要
    着 著 过 過 得 地 并 並 但 但是 因 因为 因為 所以 如果
  どこ いつ なに なん だれ どの どれ どう いくつ なぜ いくら ある いる する なる れる られる こと もの ため これ それ この その など
    として という よる おいて について における です ます でした ました でしょ ください 何 誰 何時 何処 教え
  ที่ และ หรือ ของ ใน เป็น มี ได้ ให้ จะ ไม่ ว่า กับ จาก โดย การ ความ นี้ นั้น ซึ่ง อะไร ใคร เมื่อไร เมื่อไหร่ เมื่อใด ที่ไหน ทำไม
    อย่างไร เท่าไร เท่าไหร่ กี่ ใด ไหน คือ อยู่ แล้ว ก็ ถึง ไป มา
  은 는 이 가 을 를 의 에 에서 와 과 도 로 으로 무엇 누구 언제 어디 어떻게 왜 몇 얼마 어느 어떤 무슨 그 저 것 수 등 및`;

const setOf = (words: string): Set<string> => new Set(words.trim().split(/\s+/).map(foldWord));

export const latinStopWords = onFirstUse(
  (): ReadonlyMap<LatinLanguage, ReadonlySet<string>> =>
    new Map(Object.entries(LATIN).map(([language, words]) => [language as LatinLanguage, setOf(words)])),
);

const otherScripts = onFirstUse(() => setOf(OTHER_SCRIPTS));

/** Particles of one or two hiragana are most of a Japanese text. */
export function isStopWordOfOtherScript(word: string): boolean {
  return otherScripts().has(word) || /^\p{sc=Hiragana}{1,2}$/u.test(word);
}
