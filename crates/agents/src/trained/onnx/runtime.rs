//! ONNX Runtime, loaded when the first network is asked for.

#[cfg(not(feature = "onnx"))]
pub(super) use absent::open;
#[cfg(feature = "onnx")]
pub(super) use present::open;

#[cfg(not(feature = "onnx"))]
mod absent {
    use std::sync::Arc;

    use raichi_learn::network::Forward;

    use crate::trained::onnx::Lengths;

    pub(in super::super) fn open(
        _model: &[u8],
        _lengths: Lengths,
        _drawn: &dyn Fn(usize) -> Vec<f32>,
    ) -> Result<Arc<dyn Forward>, String> {
        Err("it is a network in ONNX's form, and this command was built without the feature onnx, which runs them: \
             cargo build --release --features onnx --bin raichi"
            .into())
    }
}

#[cfg(feature = "onnx")]
mod present {
    use std::sync::{Arc, Mutex, OnceLock, PoisonError};

    use ort::environment::Environment;
    use ort::session::Session;
    use ort::value::TensorRef;
    use raichi_learn::network::{Forward, Workspace};

    use crate::trained::onnx::Lengths;

    /// Where the library lies, if it is not where the system looks for libraries.
    const LIBRARY: &str = "ORT_DYLIB_PATH";
    const INPUT: &str = "observation";
    const POLICY: &str = "policy";
    const VALUE: &str = "value";
    /// A network is asked about so many positions at once at most.
    const MOST_AT_ONCE: usize = 64;
    /// With so many it is tried when it is opened: once with each number of them that it is asked about at once, which are the
    /// powers of two up to the greatest.
    const N_TRIED: usize = 2 * MOST_AT_ONCE - 1;

    struct Network {
        session: Mutex<Session>,
        lengths: Lengths,
    }

    /// The network, once it said something of each of the positions that `drawn` makes, so many as it is asked for.
    pub(in super::super) fn open(
        model: &[u8],
        lengths: Lengths,
        drawn: &dyn Fn(usize) -> Vec<f32>,
    ) -> Result<Arc<dyn Forward>, String> {
        let network = Network { session: Mutex::new(session(model)?), lengths };
        network.run_all(&drawn(N_TRIED), &mut Workspace::default())?;
        Ok(Arc::new(network))
    }

    fn session(model: &[u8]) -> Result<Session, String> {
        let environment = environment()?;
        let refused = |why: String| format!("ONNX Runtime refuses its network: {why}");
        let builder = Session::builder(environment).map_err(|why| refused(why.to_string()))?;
        // Several games at a time keep the machine busy enough.
        let mut builder = builder.with_intra_threads(1).map_err(|why| refused(why.to_string()))?;
        builder.commit_from_memory(model).map_err(|why| refused(why.to_string()))
    }

    fn environment() -> Result<&'static Environment, String> {
        static ENVIRONMENT: OnceLock<Result<Environment, String>> = OnceLock::new();
        let begin = || {
            let library = std::env::var(LIBRARY).ok().filter(|path| !path.is_empty());
            let library = library.unwrap_or_else(|| {
                format!("{}onnxruntime{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
            });
            let absent =
                |why| format!("the library of ONNX Runtime was not found ({why}); {LIBRARY} says where it lies");
            let environment = ort::init_from(library).map_err(|why| absent(why.to_string()))?;
            environment.with_telemetry(false).build().map_err(|why| why.to_string())
        };
        ENVIRONMENT.get_or_init(begin).as_ref().map_err(Clone::clone)
    }

    impl Network {
        /// Runs it for all positions, as many at once as the greatest power of two that are left and allowed: other numbers
        /// were not tried.
        fn run_all(&self, input: &[f32], work: &mut Workspace<f32>) -> Result<(), String> {
            work.logits.clear();
            work.values.clear();
            let mut rest = input;
            while !rest.is_empty() {
                let n_left = rest.len() / self.lengths.observation;
                let n = (1 << n_left.ilog2()).min(MOST_AT_ONCE);
                let (batch, others) = rest.split_at(n * self.lengths.observation);
                self.run(batch, n, work)?;
                rest = others;
            }
            Ok(())
        }

        /// Runs it once, for `n` positions.
        fn run(&self, input: &[f32], n: usize, work: &mut Workspace<f32>) -> Result<(), String> {
            let Lengths { observation, policy, value } = self.lengths;
            let failed = |why: ort::Error| format!("ONNX Runtime cannot run its network: {why}");
            let input = TensorRef::from_array_view(([n, observation], input)).map_err(failed)?;
            let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
            let outputs = session.run(ort::inputs![INPUT => input]).map_err(failed)?;
            for (name, each, numbers) in [(POLICY, policy, &mut work.logits), (VALUE, value, &mut work.values)] {
                let output = outputs.get(name).ok_or_else(|| format!("its network has no output {name}"))?;
                let (shape, said) = output.try_extract_tensor::<f32>().map_err(failed)?;
                if said.len() != n * each {
                    return Err(format!(
                        "its network's output {name} has {} numbers (shape {shape}) for {n} positions, and {each} are \
                         wanted for each",
                        said.len()
                    ));
                }
                numbers.extend_from_slice(said);
            }
            Ok(())
        }
    }

    impl Forward for Network {
        fn forward(&self, input: &[f32], work: &mut Workspace<f32>) -> Result<(), String> {
            let run = self.run_all(input, work);
            if run.is_err() {
                let n = input.len() / self.lengths.observation;
                for (each, numbers) in [(self.lengths.policy, &mut work.logits), (self.lengths.value, &mut work.values)]
                {
                    numbers.clear();
                    numbers.resize(n * each, 0.0);
                }
            }
            // Who reads them takes them to be numbers, and values to be within their bounds.
            work.logits.iter_mut().filter(|logit| !logit.is_finite()).for_each(|logit| *logit = f32::MIN / 4.0);
            for value in &mut work.values {
                *value = if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) };
            }
            run
        }
    }
}
