//! Lines over the iterations, drawn as SVG.

use super::Html;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 190.0;
/// Room for the figures at the left and the numbers below.
const LEFT: f64 = 40.0;
const BELOW: f64 = 32.0;
/// So many numbers stand below at most.
const NUMBERS: usize = 12;

/// A line.
pub(in crate::cli) struct Series<'a> {
    /// What it shows.
    pub(in crate::cli) name: &'a str,
    /// A value for each label; none where nobody measured.
    pub(in crate::cli) points: Vec<Option<f64>>,
}

/// Lines over one another.
pub(in crate::cli) struct Chart<'a> {
    /// What it is about.
    pub(in crate::cli) title: &'a str,
    /// What stands below each point.
    pub(in crate::cli) labels: &'a [String],
    /// The lines, two at most.
    pub(in crate::cli) series: &'a [Series<'a>],
    /// The highest value that there can be; without it what the lines reach.
    pub(in crate::cli) top: Option<f64>,
    /// The places whose points are marked.
    pub(in crate::cli) marked: &'a [usize],
}

impl Chart<'_> {
    /// Draws it where there is a point at all.
    pub(in crate::cli) fn draw(&self, html: &mut Html) {
        let known = || {
            self.series
                .iter()
                .flat_map(|series| series.points.iter().flatten())
                .copied()
                .filter(|v| v.is_finite())
        };
        let Some(highest) = known().reduce(f64::max) else { return };
        // An even number, so that its half is one too.
        let top = self.top.unwrap_or((highest / 2.0).ceil() * 2.0).max(2.0);
        let view = format!("0 0 {WIDTH} {HEIGHT}");
        html.within("figure", &[], |html| {
            html.within("figcaption", &[], |html| self.caption(html));
            html.within("svg", &[("viewBox", &view), ("role", "img"), ("aria-label", self.title)], |html| {
                for part in [0.0, 0.5, 1.0] {
                    grid(html, top, part);
                }
                self.numbers(html);
                for (at, series) in self.series.iter().take(2).enumerate() {
                    self.line(html, at, series, top);
                }
            });
        });
    }

    fn caption(&self, html: &mut Html) {
        html.text(self.title);
        for (at, series) in self.series.iter().take(2).enumerate() {
            let is_known = series.points.iter().any(Option::is_some);
            let class = if at == 0 { "key" } else { "key k1" };
            if is_known {
                html.element("span", class, series.name);
            }
        }
        if !self.marked.is_empty() {
            html.element("span", "key marked", "something was lost");
        }
    }

    fn x(&self, at: usize) -> f64 {
        let steps = self.labels.len().saturating_sub(1).max(1);
        let right = 12.0;
        LEFT + 8.0 + (WIDTH - LEFT - 8.0 - right) * at as f64 / steps as f64
    }

    fn numbers(&self, html: &mut Html) {
        let step = self.labels.len().div_ceil(NUMBERS).max(1);
        for (at, label) in self.labels.iter().enumerate().step_by(step) {
            let (x, y) = (number(self.x(at)), number(HEIGHT - 6.0));
            html.within("text", &[("x", &x), ("y", &y), ("text-anchor", "middle")], |html| {
                html.text(label);
            });
        }
    }

    fn line(&self, html: &mut Html, at: usize, series: &Series<'_>, top: f64) {
        let (line, dot) = if at == 0 { ("s0", "d0") } else { ("s1", "d1") };
        let place = |value: f64| y((value / top).clamp(0.0, 1.0));
        let points: Vec<(usize, Option<f64>)> =
            series.points.iter().map(|value| value.filter(|v| v.is_finite())).enumerate().collect();
        // A gap in the figures is a gap in the line.
        for run in points.split(|(_, value)| value.is_none()).filter(|run| run.len() > 1) {
            let path: Vec<String> = run
                .iter()
                .filter_map(|(at, value)| {
                    Some(format!("{},{}", number(self.x(*at)), number(place((*value)?))))
                })
                .collect();
            html.within("polyline", &[("class", line), ("points", &path.join(" "))], |_| ());
        }
        for (at, value) in points.iter().filter_map(|(at, value)| Some((*at, (*value)?))) {
            let class = if self.marked.contains(&at) { "marked" } else { dot };
            let (x, y) = (number(self.x(at)), number(place(value)));
            html.within("circle", &[("class", class), ("cx", &x), ("cy", &y), ("r", "4")], |html| {
                let label = self.labels.get(at).map(String::as_str).unwrap_or_default();
                html.element("title", "", &format!("{} {label}: {}", series.name, number(value)));
            });
        }
    }
}

fn y(part: f64) -> f64 {
    let bottom = HEIGHT - BELOW;
    bottom - (bottom - 10.0) * part
}

fn grid(html: &mut Html, top: f64, part: f64) {
    let (from, to, at) = (number(LEFT), number(WIDTH), number(y(part)));
    html.within("line", &[("class", "grid"), ("x1", &from), ("x2", &to), ("y1", &at), ("y2", &at)], |_| ());
    let (x, y) = (number(LEFT - 6.0), number(y(part) + 4.0));
    html.within("text", &[("x", &x), ("y", &y), ("text-anchor", "end")], |html| {
        html.text(&format!("{:.0}", top * part));
    });
}

/// A number as short as it can be.
fn number(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(points: Vec<Option<f64>>) -> String {
        let labels: Vec<String> = (1..=points.len()).map(|n| n.to_string()).collect();
        let series = [Series { name: "quality", points }];
        let mut html = Html::default();
        Chart { title: "Quality", labels: &labels, series: &series, top: Some(100.0), marked: &[] }
            .draw(&mut html);
        html.page("t")
    }

    #[test]
    fn a_gap_stays_a_gap_and_one_point_is_a_dot() {
        let page = drawn(vec![Some(10.0), Some(20.0), None, Some(90.0)]);
        assert_eq!((page.matches("<polyline").count(), page.matches("<circle").count()), (1, 3));
        assert_eq!(drawn(vec![Some(50.0)]).matches("<circle").count(), 1);
        assert!(!drawn(vec![None, None]).contains("<svg"));
        assert_eq!(drawn(vec![Some(1.0); 40]).matches("text-anchor=\"middle\"").count(), 10);
    }
}
