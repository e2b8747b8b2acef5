"""How the report looks: colours in light and in dark, and the style sheet."""

from __future__ import annotations

# After M. Okabe and K. Ito's colours, which people who are blind to some can tell apart, darkened or lightened until
# they are read well on the paper of their theme.
PALETTE = {
    "light": {
        "paper": "#f7f7f5",
        "card": "#ffffff",
        "ink": "#1b2130",
        "soft": "#545c6c",
        "line": "#d9dce2",
        "accent": "#005a92",
        "before": "#a84300",
        "after": "#0072b2",
        "good": "#00674a",
        "warn": "#8a3a00",
        "warn-paper": "#fff3e8",
        "alarm": "#8f1d12",
        "alarm-ink": "#ffffff",
        "low": "#d55e00",
        "high": "#0072b2",
        "hue-0": "#0072b2",
        "hue-1": "#c65700",
        "hue-2": "#008a68",
        "hue-3": "#b3568c",
        "hue-4": "#3279a8",
        "hue-5": "#8a6a00",
    },
    "dark": {
        "paper": "#11141a",
        "card": "#191d26",
        "ink": "#e9ebf1",
        "soft": "#aab2c2",
        "line": "#343b49",
        "accent": "#86c8f2",
        "before": "#f2a663",
        "after": "#66b5e6",
        "good": "#63d3ae",
        "warn": "#ffc48f",
        "warn-paper": "#33241a",
        "alarm": "#8f1d12",
        "alarm-ink": "#ffffff",
        "low": "#f08a3c",
        "high": "#4aa8e0",
        "hue-0": "#66b5e6",
        "hue-1": "#f08a3c",
        "hue-2": "#3cc79c",
        "hue-3": "#e09bc4",
        "hue-4": "#9ad0f5",
        "hue-5": "#e0bd4f",
    },
}

# Which colours are read on which: text needs a contrast of 4.5, marks in pictures one of 3.
TEXT_ON = (
    *(
        (colour, paper)
        for colour in ("ink", "soft", "accent", "before", "after", "good")
        for paper in ("paper", "card")
    ),
    ("warn", "warn-paper"),
    ("ink", "warn-paper"),
    ("alarm-ink", "alarm"),
)
MARKS_ON = tuple((f"hue-{i}", "card") for i in range(6))
HUES = 6
STRONGEST = 0.42  # opacity of a correlation of ±1, so that the number on it is read

SHEET = """
*,*::before,*::after{box-sizing:border-box}
html{color-scheme:light dark;-webkit-text-size-adjust:100%;scroll-padding-top:4rem}
body{margin:0;background:var(--paper);color:var(--ink);font:1rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,
"Helvetica Neue",Arial,"Noto Sans",sans-serif;font-variant-numeric:tabular-nums;overflow-wrap:break-word}
a{color:var(--accent);text-underline-offset:.18em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:3px}
.skip{position:absolute;left:-100vw;top:0;background:var(--card);padding:.75rem 1.25rem;z-index:9}
.skip:focus{left:0}
.running{position:sticky;top:0;z-index:5;background:var(--alarm);color:var(--alarm-ink);padding:.5rem 1.5rem;
font-size:.875rem;font-weight:600;text-align:center;margin:0}
.frame{max-width:78rem;margin:0 auto;padding:0 1.5rem 4rem}
.masthead{padding:3.5rem 0 2rem}
.eyebrow{margin:0 0 .5rem;color:var(--soft);font-size:.8125rem;font-weight:600;letter-spacing:.08em;
text-transform:uppercase}
h1{margin:0;font-size:clamp(1.7rem,4.5vw,2.9rem);line-height:1.12;letter-spacing:-.022em;font-weight:700;
text-wrap:balance}
.lead{max-width:46rem;margin:1rem 0 0;font-size:1.125rem;color:var(--soft)}
h2{margin:0 0 .35rem;font-size:1.5rem;line-height:1.25;letter-spacing:-.012em}
h3{margin:2.25rem 0 .5rem;font-size:1.0625rem;line-height:1.35}
p{margin:.6rem 0;max-width:44rem}
.reading{font-size:1.0625rem}
.note{color:var(--soft);font-size:.9375rem}
.contents{font-size:.9375rem}
.contents h2{font-size:.8125rem;letter-spacing:.08em;text-transform:uppercase;color:var(--soft);margin:0 0 .6rem}
.contents ol{list-style:none;margin:0;padding:0}
.contents a{display:block;padding:.22rem 0;color:inherit;text-decoration:none}
.contents a:hover{color:var(--accent);text-decoration:underline}
section{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:2rem;margin:0 0 1.5rem;
min-width:0}
.heading{display:flex;flex-wrap:wrap;gap:.25rem 1rem;align-items:baseline;justify-content:space-between}
.badge{font-size:.75rem;font-weight:600;color:var(--alarm-ink);background:var(--alarm);border-radius:99px;
padding:.1rem .7rem;white-space:nowrap}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(6.75rem,1fr));gap:1.25rem;margin:1.5rem 0 0;
padding:0}
.figures>div{display:flex;flex-direction:column-reverse;justify-content:flex-end;
border-top:3px solid var(--accent);padding-top:.6rem}
.figures dt{font-size:.8125rem;color:var(--soft);line-height:1.35}
.figures dd{margin:0;font-size:1.75rem;font-weight:650;line-height:1.2;letter-spacing:-.02em}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(17rem,100%),1fr));gap:1.25rem;margin:1.75rem 0 0}
.card{border:1px solid var(--line);border-radius:10px;padding:1.1rem 1.25rem;background:var(--paper)}
.card h3{margin:0 0 .5rem;display:flex;gap:.5rem;align-items:center}
.card ul{margin:.25rem 0 0;padding-left:1.1rem}
.card li{margin:.4rem 0}
.card p{margin:.3rem 0}
.sign{flex:none;width:1.5rem;height:1.5rem;border-radius:50%;display:inline-grid;place-items:center;font-size:.875rem;
border:2px solid currentColor;line-height:1}
.good{color:var(--good)}.warn{color:var(--before)}.look{color:var(--accent)}
.aside{border-left:4px solid var(--warn);background:var(--warn-paper);border-radius:0 8px 8px 0;padding:.6rem 1rem;
max-width:46rem;margin:1rem 0}
.facts{margin:1rem 0;max-width:48rem}
.facts>div{display:grid;grid-template-columns:minmax(9rem,14rem) 1fr;gap:.25rem 1.5rem;padding:.5rem 0;
border-bottom:1px solid var(--line)}
.facts dt{color:var(--soft)}.facts dd{margin:0;min-width:0}
.words>div{padding:.45rem 0}.words dt{font-weight:600}.words dd{margin:0;max-width:44rem}
.scroll{overflow-x:auto;margin:1.25rem 0;border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
caption{text-align:left;color:var(--soft);padding:0 0 .6rem;font-size:.875rem}
th,td{text-align:left;padding:.45rem .8rem .45rem 0;border-bottom:1px solid var(--line);vertical-align:baseline}
thead th{font-size:.8125rem;color:var(--soft);font-weight:600;border-bottom:2px solid var(--line);line-height:1.3}
tbody th{font-weight:600}
.number{text-align:right;white-space:nowrap}
th:last-child,td:last-child{padding-right:0}
.bar{display:inline-block;vertical-align:middle;width:5.5rem;height:.55rem;border-radius:99px;background:var(--line);
margin-left:.6rem;overflow:hidden}
.bar>span{display:block;height:100%;background:var(--after);border-radius:99px;min-width:1px}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(17.5rem,100%),1fr));gap:1.75rem;margin:1.25rem 0}
.plots.wide{grid-template-columns:repeat(auto-fill,minmax(min(16.5rem,100%),1fr))}
figure{margin:0;min-width:0;break-inside:avoid}
figure.large{max-width:52rem;margin:1.25rem 0;overflow-x:auto}
figcaption{font-size:.875rem;color:var(--soft);margin:0 0 .4rem;line-height:1.4}
figcaption b{color:var(--ink);font-weight:600}
svg{display:block;width:100%;height:auto;overflow:visible}
svg text{font:11px system-ui,-apple-system,"Segoe UI",Roboto,Arial,sans-serif;fill:var(--soft);unicode-bidi:isolate;
font-variant-numeric:tabular-nums}
svg .strong{fill:var(--ink)}
.axis{stroke:var(--soft);stroke-width:1;fill:none}.grid{stroke:var(--line);stroke-width:1;fill:none}
.after{fill:var(--after)}.before{fill:none;stroke:var(--before);stroke-width:1.8;stroke-linejoin:round}
.before-bar{fill:none;stroke:var(--before);stroke-width:1.6}
.spoke{fill:none;stroke-width:.8;opacity:.5}.dot{opacity:.8}
.low{fill:var(--low)}.high{fill:var(--high)}.tile{stroke:var(--line);stroke-width:1}
.curve{fill:none;stroke-width:2}.bubble{stroke:var(--card);stroke-width:1}
.key{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;font-size:.875rem;color:var(--soft);margin:.75rem 0 0;padding:0;
list-style:none}
.key li{display:flex;align-items:center;gap:.5rem}
.key svg{width:26px;height:14px;flex:none}
details{margin:1rem 0;max-width:100%}
summary{cursor:pointer;color:var(--accent);font-weight:600;padding:.2rem 0;width:fit-content}
pre{background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:1rem;overflow:auto;max-height:30rem;
font:.8125rem/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
code{font:.9em ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
footer{color:var(--soft);font-size:.875rem;padding:1rem 0 0}
@media (min-width:64rem){
.layout{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:3rem;align-items:start}
.contents{position:sticky;top:3.75rem;max-height:calc(100vh - 5rem);overflow-y:auto}}
@media (max-width:63.99rem){.contents{margin:0 0 1.5rem}.contents ol{columns:2 10rem;column-gap:2rem}}
@media (max-width:40rem){.frame{padding:0 1rem 3rem}section{padding:1.25rem 1.1rem;border-radius:10px}
figure.large svg{min-width:34rem}
.masthead{padding:2rem 0 1.5rem}.facts>div{grid-template-columns:1fr}.running{padding:.5rem 1rem}}
@media print{
@page{size:A4;margin:16mm 15mm 15mm}
html{color-scheme:light;scroll-padding:0}
body{background:none;font-size:9.5pt;line-height:1.45}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
.skip,.contents{display:none}
.running{position:static;padding:1.2mm 3mm;border-radius:1mm;margin:0 0 5mm}
.frame{max-width:none;padding:0}
.masthead{padding:0 0 6mm}h1{font-size:22pt}h2{font-size:14pt}.figures dd{font-size:15pt}
.layout{display:block}.cards{grid-template-columns:repeat(3,1fr);gap:4mm}.card{padding:3mm 4mm}.raw{display:none}
section{border:0;border-top:1.5pt solid var(--ink);border-radius:0;padding:4mm 0 0;margin:0 0 8mm;background:none}
h2,h3,.heading,caption,figcaption,summary,.key,.reading{break-after:avoid}
figure,.card,tr,.figures>div,.facts>div,.words>div,.aside,.key{break-inside:avoid}
thead{display:table-header-group}
.scroll{overflow:visible}pre{max-height:none;overflow:visible;font-size:7.5pt}
.plots{grid-template-columns:repeat(3,1fr);gap:5mm}.plots.wide{grid-template-columns:repeat(3,1fr)}
figure.large{max-width:150mm;overflow:visible}figure.large svg{min-width:0}
details::details-content{content-visibility:visible;block-size:auto}
a{color:inherit;text-decoration:none}}
"""

HEAD = """@media print{{@page{{@top-center{{content:"{words}";font:600 8pt system-ui,sans-serif;color:{alarm}}}}}}}
"""


def sheet(running: str = "") -> str:
    """The style sheet, with the colours of both themes; paper is always light, and `running` heads each page of it."""
    light, dark = (_variables(PALETTE[theme]) for theme in ("light", "dark"))
    return (
        f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        + "".join(
            f"\n.hue-{i}{{color:var(--hue-{i});stroke:var(--hue-{i})}}.dot.hue-{i},.mark.hue-{i}{{fill:var(--hue-{i})}}"
            for i in range(HUES)
        )
        + SHEET
        + (HEAD.format(words=running, **PALETTE["light"]) if running else "")
    )


def _variables(colours: dict[str, str]) -> str:
    return ";".join(f"--{name}:{colour}" for name, colour in colours.items())
